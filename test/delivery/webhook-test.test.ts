import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse, secretFrom, secretKey, verify } from '@nuncio/receiver'
import { status } from './support/world.ts'
import { startWith } from './support/start-with.ts'
import { recordNames } from '../../src/collections/messages.ts'
import { settle } from '../support/virtual-clock.ts'

const url = 'https://receiver.test/hook'
const secret = secretFrom(Uint8Array.from({ length: 32 }, (_, at) => at + 1))
const tests = '/v1/webhooks/w/deliveries'

describe('POST /v1/webhooks/{id}/deliveries', () => {
  it('sends a signed sample at once and says what the receiver said', async (t) => {
    const api = await startWith(t, () => ({ ...status(204), response: 'thanks' }))
    await api.put('/v1/webhooks/w', { url, secret, headers: { 'X-Team': 'shop' } })

    const tested = await api.post(tests, {})

    const [request] = api.sent
    assert.ok(request)
    const nowMs = api.clock.now()
    verify([secretKey(secret)], request.headers, request.body, { nowMs, toleranceSeconds: 0 })
    const [record] = parse(request.body)
    assert.deepEqual(Object.keys(record ?? {}), recordNames)
    assert.equal(record?.type, 'SENT')
    assert.equal(request.headers['x-team'], 'shop')
    assert.match(request.headers['webhook-id'] ?? '', /^test_/)
    assert.equal(tested.status, 201)
    assert.equal(tested.headers['location'], `${tests}/${tested.json.id}`)
    const { id, date } = tested.json
    assert.deepEqual(tested.json, {
      id,
      batchId: request.headers['webhook-id'],
      attempt: 1,
      date,
      durationMs: 0,
      outcome: 'ACCEPTED',
      statusCode: 204,
      error: null,
      response: 'thanks',
      messageIds: [record?.id],
      test: true,
      replay: null,
      createdAt: date,
      updatedAt: date,
    })
  })

  it('sends nothing in a dry run, and says that it cannot be tried so', async (t) => {
    const api = await startWith(t, () => 204)
    const dry = { headers: { prefer: 'handling=dry-run' } }
    await api.put('/v1/webhooks/w', { url })

    const refused = await api.post(tests, {}, dry)
    const missing = await api.post('/v1/webhooks/nobody/deliveries', {}, dry)
    const wrong = await api.post(tests, { type: 'OTHER' }, dry)

    assert.deepEqual([refused.status, missing.status, wrong.status], [400, 404, 400])
    assert.equal(
      refused.json.detail,
      'A new delivery is a request to another server, and a dry run sends none. ' +
        'Leave out Prefer: handling=dry-run.',
    )
    assert.equal(wrong.json.errors[0].pointer, '/type')
    assert.deepEqual(api.sent, [])
    assert.deepEqual((await api.get(tests)).json, [])
  })

  it('keeps the test in the attempt log, and moves neither the place nor the state', async (t) => {
    const api = await startWith(t, () => 500)
    await api.put('/v1/webhooks/w', { url, active: false })
    await api.notify('m1')

    const tested = await api.post(tests, {})

    const listed = await api.get(`${tests}?test=true`)
    const webhook = await api.get('/v1/webhooks/w')
    assert.deepEqual(listed.json, [tested.json])
    assert.equal(tested.json.outcome, 'REFUSED')
    assert.equal(tested.json.error, 'The receiver answered 500.')
    assert.deepEqual([webhook.json.lag, webhook.json.lastSuccessAt], [1, null])
    assert.equal(webhook.json.stateReason, 'It is set inactive.')
  })

  it('sends the type that is asked for', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })

    const tested = await api.post(tests, { type: 'RECEIVED' })
    await api.post(tests, { type: 'WEBHOOK_DISABLED' })
    await api.post(tests, { type: 'SENT' })
    const wrong = await api.post(tests, { type: 'LOST' })

    assert.equal('type' in tested.json, false)
    assert.deepEqual(
      api.sent
        .flatMap(({ body }) => parse(body))
        .map((record) => [record.type, 'status' in record ? record.status : null]),
      [
        ['RECEIVED', { id: 'RECEIVED.null', type: 'RECEIVED' }],
        ['WEBHOOK_DISABLED', null],
        ['SENT', { id: 'DELIVERED.null', type: 'DELIVERED' }],
      ],
    )
    assert.equal(wrong.status, 400)
    assert.equal(wrong.json.errors[0].pointer, '/type')
  })

  it('takes no transaction while the receiver thinks', async (t) => {
    const { answer, asked } = later()
    const api = await startWith(t, asked)
    await api.put('/v1/webhooks/w', { url })

    const tested = api.post(tests, {})
    await settle()
    const written = await api.put('/v1/contacts/c', { address: '+4915112345678' })
    answer(204)

    assert.equal(written.status, 200)
    assert.equal((await tested).status, 201)
  })

  it('tests a webhook once at a time', async (t) => {
    const { answer, asked } = later()
    const api = await startWith(t, asked)
    await api.put('/v1/webhooks/w', { url })

    const first = api.post(tests, {})
    await settle()
    const second = await api.post(tests, {})
    answer(204)
    await first
    const third = await api.post(tests, {})

    assert.equal(second.status, 409)
    assert.equal(third.status, 201)
    assert.equal(api.sent.length, 2)
  })

  it('lets an account wait for four answers, and others go on', async (t) => {
    const { answer, asked } = later()
    const api = await startWith(t, asked)
    const key = await api.newAccount('theirs')
    await api.put('/v1/webhooks/w', { url }, { key })
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await api.put(`/v1/webhooks/${name}`, { url })

    const waiting = names.slice(0, 4).map((name) => api.post(`/v1/webhooks/${name}/deliveries`, {}))
    await settle()
    const fifth = await api.post('/v1/webhooks/e/deliveries', {})
    const theirs = api.post(tests, {}, { key })
    await settle()
    answer(204)

    assert.equal(fifth.status, 429)
    assert.equal(fifth.headers['retry-after'], '5')
    assert.equal((await theirs).status, 201)
    assert.deepEqual(
      (await Promise.all(waiting)).map((each) => each.status),
      [201, 201, 201, 201],
    )
  })

  it('is done once under an Idempotency-Key', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const headers = { 'idempotency-key': 'k1' }

    const first = await api.post(tests, {}, { headers })
    const again = await api.post(tests, {}, { headers })

    assert.deepEqual(again.json, first.json)
    assert.equal(api.sent.length, 1)
  })

  it('is refused before anything is sent where the webhook is not there, or another account’s', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const key = await api.newAccount('theirs')

    const missing = await api.post('/v1/webhooks/none/deliveries', {})
    const foreign = await api.post(tests, {}, { key })

    assert.deepEqual([missing.status, foreign.status], [404, 404])
    assert.equal(api.sent.length, 0)
  })

  it('is 404 where the webhook is deleted while the receiver thinks', async (t) => {
    const { answer, asked } = later()
    const api = await startWith(t, asked)
    await api.put('/v1/webhooks/w', { url })

    const tested = api.post(tests, {})
    await settle()
    await api.delete('/v1/webhooks/w')
    answer(204)

    assert.equal((await tested).status, 404)
  })
})

/** A receiver that answers when it is told to. */
function later(): { answer: (status: number) => void; asked: () => Promise<number> } {
  const { promise, resolve } = Promise.withResolvers<number>()
  return { answer: resolve, asked: () => promise }
}
