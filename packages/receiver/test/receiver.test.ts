import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { receiver, Refusal, secretFrom, type NotificationRecord } from '../src/index.ts'
import { aReceiver, problemOf } from './support/a-receiver.ts'
import { known, nowSeconds } from './support/known.ts'
import { alert, received, sent, signed } from './support/signed.ts'

describe('A receiver', () => {
  it('hands each record to the handler of its type, in their order, and answers 204', async () => {
    const calls: [string, NotificationRecord][] = []
    const { receive } = aReceiver({
      RECEIVED: (record) => void calls.push(['RECEIVED', record]),
      SENT: (record) => void calls.push(['SENT', record]),
    })
    const records = [sent({ id: 'b' }), received({ id: 'a' }), sent({ id: 'c' })]

    const answer = await receive(signed(records))

    assert.deepEqual(answer, { status: 204, headers: {}, body: '', close: false })
    assert.deepEqual(
      calls,
      records.map((record) => [record.type, record]),
    )
  })

  it('waits for each handler before it calls the next', async () => {
    const steps: string[] = []
    const { receive } = aReceiver({
      SENT: async ({ id }) => {
        steps.push(`${id} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        steps.push(`${id} ends`)
      },
    })

    await receive(signed([sent({ id: 'a' }), sent({ id: 'b' })]))

    assert.deepEqual(steps, ['a begins', 'a ends', 'b begins', 'b ends'])
  })

  it('passes the webhook-id and the time of signing to the handler', async () => {
    const deliveries: unknown[] = []
    const { receive } = aReceiver({ SENT: (_record, delivery) => void deliveries.push(delivery) })

    await receive(signed([sent()], { id: 'msg_7' }))

    assert.deepEqual(deliveries, [{ webhookId: 'msg_7', timestamp: nowSeconds }])
  })

  it('hands alerts to the handlers of their types', async () => {
    const calls: string[] = []
    const { receive } = aReceiver({
      WEBHOOK_DISABLED: ({ webhook, stateReason }) =>
        void calls.push(`${webhook.id}: ${stateReason}`),
      WEBHOOK_RECOVERED: ({ webhook, state }) => void calls.push(`${webhook.id}: ${state}`),
    })
    const recovered = alert({ type: 'WEBHOOK_RECOVERED', state: 'ACTIVE', stateReason: null })

    const answer = await receive(signed([alert({ stateReason: 'Gone.' }), recovered]))

    assert.equal(answer.status, 204)
    assert.deepEqual(calls, ['shop: Gone.', 'shop: ACTIVE'])
  })

  it('ignores other types, and types that it has no handler for', async () => {
    const { receive, handled } = aReceiver({ SENT: undefined })

    const answer = await receive(signed([{ id: 'x', type: 'CLICKED' }, sent(), received()]))

    assert.equal(answer.status, 204)
    assert.deepEqual(handled, [received()])
  })

  it('processes nothing of a body that is not JSON, and reports a parsing error', async () => {
    const { receive, handled, errors } = aReceiver()

    const answer = await receive(signed('[{"id":"message_1","type":"RECEIVED"'))

    assert.equal(answer.status, 400)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.equal(problemOf(answer).title, 'Parsing error')
    assert.deepEqual([handled, errors], [[], []])
  })

  it('processes nothing where one record of many is wrong, and names it', async () => {
    const { receive, handled } = aReceiver()

    const answer = await receive(signed([received(), { ...sent(), to: null }]))

    assert.equal(answer.status, 400)
    assert.deepEqual(problemOf(answer), {
      title: 'Parsing error',
      status: 400,
      detail: 'The body has records that are not as they must be.',
      errors: [{ pointer: '/1/to', detail: 'must be a string' }],
    })
    assert.deepEqual(handled, [])
  })

  it('answers 401 to what none of its secrets has signed, and does not look into it', async () => {
    const { receive, handled } = aReceiver()
    const other = secretFrom(new Uint8Array(32))

    const answer = await receive(signed('not JSON', { secret: other }))

    assert.equal(answer.status, 401)
    assert.equal(answer.headers['www-authenticate'], 'StandardWebhooks')
    assert.match(String(problemOf(answer).detail), /secret is the one of this very webhook/)
    assert.deepEqual(handled, [])
  })

  it('answers 401 to a request that was signed too long ago or too far ahead', async () => {
    const { receive } = aReceiver({ toleranceSeconds: 10 })

    const statuses = await Promise.all(
      [-11, -10, 10, 11].map(async (shift) => {
        const answer = await receive(signed([], { timestamp: nowSeconds + shift }))
        return answer.status
      }),
    )

    assert.deepEqual(statuses, [401, 204, 204, 401])
  })

  it('accepts the old secret and the new one while they are exchanged', async () => {
    const old = secretFrom(new Uint8Array(32))
    const { receive } = aReceiver({ secrets: [known.secret, old, undefined] })

    const answers = [await receive(signed([])), await receive(signed([], { secret: old }))]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204],
    )
  })

  it('answers 405 with Allow to every method but POST', async () => {
    const { receive } = aReceiver()

    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
      const answer = await receive({ ...signed([sent()]), method })

      assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST'])
    }
  })

  for (const [type, status] of Object.entries({
    'application/json; charset=utf-8': 204,
    'Application/JSON': 204,
    'text/plain': 415,
    'application/problem+json': 415,
    'application/jsonl': 415,
    '': 415,
  })) {
    it(`answers ${status} to the content type "${type}"`, async () => {
      const { receive } = aReceiver()
      const request = signed([])

      const answer = await receive({
        ...request,
        headers: { ...request.headers, 'content-type': type },
      })

      assert.equal(answer.status, status)
    })
  }

  it('takes headers and body alone, as bytes, as text or as an ArrayBuffer', async () => {
    const { receive, handled } = aReceiver()
    const { headers, body } = signed([sent()])

    for (const form of [body, body.buffer, new TextDecoder().decode(body), Buffer.from(body)]) {
      assert.equal((await receive({ headers, body: form })).status, 204)
    }
    assert.deepEqual(handled, [sent(), sent(), sent(), sent()])
  })

  it('says so where the body is given parsed', async () => {
    const { receive, handled } = aReceiver()
    const { headers } = signed([sent()])

    const answer = await receive({ headers, body: JSON.parse('[]') })

    assert.equal(answer.status, 500)
    assert.match(String(problemOf(answer).detail), /covers the raw bytes.*no longer bytes/)
    assert.deepEqual(handled, [])
  })

  it('answers 413 to a body over the cap, and accepts one of just that size', async () => {
    const request = signed([sent()])
    const { receive: tight } = aReceiver({ bodyBytesMax: request.body.length - 1 })
    const { receive: fitting } = aReceiver({ bodyBytesMax: request.body.length })

    const refused = await tight(request)
    const accepted = await fitting(request)

    assert.deepEqual([refused.status, refused.close], [413, true])
    assert.match(String(problemOf(refused).detail), /maxBatch of the webhook/)
    assert.equal(accepted.status, 204)
  })
})

describe('A handler that fails', () => {
  it('makes the answer 500, ends the array there, and says why to onError alone', async () => {
    const cause = new Error('the table is locked')
    const { receive, handled, errors } = aReceiver({
      SENT: () => {
        throw cause
      },
    })

    const answer = await receive(signed([received({ id: 'a' }), sent(), received({ id: 'c' })]))

    assert.equal(answer.status, 500)
    assert.match(String(problemOf(answer).detail), /handler of SENT failed on record message_2/)
    assert.doesNotMatch(answer.body, /locked/)
    assert.deepEqual(handled, [received({ id: 'a' })])
    assert.deepEqual(
      errors.map((error) => error.cause),
      [cause],
    )
  })

  it('fails as well if it rejects, or throws a value that is no error', async () => {
    const { receive: rejecting } = aReceiver({ SENT: () => Promise.reject(new Error('later')) })
    const { receive: throwing } = aReceiver({
      SENT: () => {
        throw undefined
      },
    })

    assert.equal((await rejecting(signed([sent()]))).status, 500)
    assert.equal((await throwing(signed([sent()]))).status, 500)
  })

  it('makes the answer 500 even if it throws a refusal of another request', async () => {
    const { receive, errors } = aReceiver({
      SENT: () => Promise.reject(new Refusal(401, 'from elsewhere')),
    })

    const answer = await receive(signed([sent()]))

    assert.equal(answer.status, 500)
    assert.equal(errors.length, 1)
  })
})

describe('Making a receiver', () => {
  it('fails immediately without a secret, and names the one to pass', () => {
    assert.throws(
      () => receiver({ secrets: undefined }),
      /secret is missing: pass the webhook's own/,
    )
    assert.throws(() => receiver({ secrets: [undefined] }), /secret is missing/)
    assert.throws(() => receiver({ secrets: [] }), /secret is missing/)
    assert.throws(() => receiver({ secrets: '' }), /must begin with whsec_/)
  })

  it('fails immediately for a limit without effect', () => {
    const secrets = known.secret

    assert.throws(() => receiver({ secrets, toleranceSeconds: Number.NaN }), /"toleranceSeconds"/)
    assert.throws(() => receiver({ secrets, bodyBytesMax: -1 }), /"bodyBytesMax"/)
    assert.throws(() => receiver({ secrets, readTimeoutMs: 0 }), /"readTimeoutMs".*got 0/)
  })
})
