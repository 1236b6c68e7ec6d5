import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NuncioProblem } from '../src/index.ts'
import { scripted } from './support/a-client.ts'
import { problem, type Reply } from './support/scripted-server.ts'

const hello = { to: '+1', body: 'hello' }

describe('a refusal', () => {
  it('says what the service says of it', async (t) => {
    const errors = [{ pointer: '/to', detail: 'is no number' }]
    const { client, server } = await scripted(t, [problem(400, 'invalid-body', { errors })])

    const error = await client.messages.create(hello).catch((thrown: unknown) => thrown)

    assert.ok(error instanceof NuncioProblem)
    assert.ok(error instanceof Error)
    assert.equal(error.message, '400 Title of invalid-body: Detail of invalid-body.')
    assert.deepEqual(
      { ...error },
      {
        name: 'NuncioProblem',
        status: 400,
        type: 'invalid-body',
        title: 'Title of invalid-body',
        detail: 'Detail of invalid-body.',
        errors,
        page: `${server.url}/problems/invalid-body`,
        requestId: 'request_1',
        retryAfterMs: null,
        uncertain: false,
      },
    )
  })

  it('names its kind by the last part of an absolute address too', async (t) => {
    const body = { type: 'https://docs.example/problems/conflict', status: 409 }
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' }
    const { client } = await scripted(t, [{ status: 409, headers, body }])

    await assert.rejects(client.messages.create(hello), { type: 'conflict', status: 409 })
  })

  const odd: [what: string, reply: Reply][] = [
    ['no body', { status: 400, headers: { 'x-request-id': 'request_9' } }],
    ['a body that is no JSON', problemOf('{')],
    ['a body that is no object', problemOf('[]')],
    ['members of other kinds', problemOf('{"type":1,"title":{},"errors":"all","requestId":null}')],
    ['errors that are none', problemOf('{"errors":[null,1,{}]}')],
  ]
  for (const [what, reply] of odd) {
    it(`with ${what} is still a refusal`, async (t) => {
      const { client } = await scripted(t, [reply])

      await assert.rejects(client.messages.create(hello), {
        status: 400,
        type: 'unknown',
        errors: [],
        requestId: 'request_9',
      })
    })
  }
})

function problemOf(body: string): Reply {
  const headers = { 'content-type': 'application/problem+json', 'x-request-id': 'request_9' }
  return { status: 400, headers, body }
}
