import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scripted } from './support/a-client.ts'
import { problem, type Reply } from './support/scripted-server.ts'

const contact = { id: 'contact_1', name: 'Ann', address: '+1', tags: ['a'], attributes: {} }
const overtaken = problem(412, 'precondition-failed')

function tagged(etag: string, tags: readonly string[]): Reply {
  return { headers: { etag }, body: { ...contact, tags } }
}

describe('an update', () => {
  it('replaces what it read, only if it is still that', async (t) => {
    const { client, server } = await scripted(t, [tagged('"1"', ['a']), tagged('"2"', ['a', 'b'])])

    const updated = await client.contacts.update('contact_1', (current) => ({
      ...current,
      tags: [...current.tags, 'b'],
    }))

    assert.deepEqual(updated.tags, ['a', 'b'])
    assert.deepEqual(
      server.requests.map(({ method, headers }) => [method, headers['if-match']]),
      [
        ['GET', undefined],
        ['PUT', '"1"'],
      ],
    )
  })

  it('starts again after a concurrent change', async (t) => {
    const { client, server, clock } = await scripted(t, [
      tagged('"1"', ['a']),
      overtaken,
      tagged('"2"', ['x']),
      tagged('"3"', ['x', 'b']),
    ])

    const updated = client.contacts.update('contact_1', async (current) => ({
      ...current,
      tags: [...current.tags, 'b'],
    }))
    await clock.pass(125)

    assert.deepEqual((await updated).tags, ['x', 'b'])
    assert.equal(server.requests[3]?.headers['if-match'], '"2"')
  })

  it('ends after eight rounds', async (t) => {
    const rounds = Array<Reply[]>(8)
      .fill([tagged('"1"', []), overtaken])
      .flat()
    const { client, server, clock } = await scripted(t, rounds)

    const updated = assert.rejects(
      client.contacts.update('contact_1', (current) => current),
      {
        type: 'precondition-failed',
      },
    )
    for (const delayMs of [125, 250, 500, 1000, 1000, 1000, 1000]) await clock.pass(delayMs)
    await updated

    assert.equal(server.requests.length, 16)
  })

  it('is not made twice where the answer to the first was lost', async (t) => {
    const { client, server, clock } = await scripted(t, [tagged('"1"', ['a']), 'drop', overtaken])

    const updated = assert.rejects(
      client.contacts.update('contact_1', (current) => current),
      {
        type: 'precondition-failed',
        uncertain: true,
      },
    )
    await clock.pass(125)
    await updated

    assert.equal(server.requests.length, 3)
  })

  it('is not made for a missing instance', async (t) => {
    const { client } = await scripted(t, [problem(404, 'not-found')])

    const updated = client.contacts.update('contact_1', () => assert.fail('there is nothing'))

    await assert.rejects(updated, { type: 'not-found' })
  })

  it('fails with what the change throws', async (t) => {
    const { client, server } = await scripted(t, [tagged('"1"', [])])

    const updated = client.contacts.update('contact_1', () => {
      throw new RangeError('enough')
    })

    await assert.rejects(updated, RangeError)
    assert.equal(server.requests.length, 1)
  })
})
