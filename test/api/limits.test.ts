import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Read, TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

function assertReached({ status, json }: Read, limit: string, maximum: number): void {
  assert.deepEqual([status, json.type], [403, '/problems/limit-reached'])
  assert.match(json.detail, new RegExp(`${limit} of ${maximum}\\b`))
}

/** Repeats a request, one second after the other, until it is refused. */
async function untilRefused(api: TestApi, ask: () => Promise<Read>): Promise<Read> {
  for (let round = 0; ; round += 1) {
    const answer = await ask()
    if (answer.status === 403 || round === 20) return answer
    await api.clock.advance(1000)
  }
}

for (const kind of storeKinds) {
  describe(`An account at a limit (${kind})`, () => {
    it('makes no further webhooks and keys, but changes those that it has', async (t) => {
      const api = await startOver(t, kind, { limitWebhooks: 2, limitKeys: 3 })
      const key = await api.newAccount('acme')
      const webhook = (): Promise<Read> =>
        api.post('/v1/webhooks', { url: 'https://shop.example/' }, { key })
      const newKey = (): Promise<Read> => api.post('/v1/keys', { scopes: ['*:read'] }, { key })

      const made = [await webhook(), await webhook(), await newKey(), await newKey()]
      const [third, fourth] = [await webhook(), await newKey()]
      const [first] = made
      const changed = await api.patch(`/v1/webhooks/${first?.json.id}`, { name: 'a' }, { key })
      await api.delete(`/v1/webhooks/${first?.json.id}`, { key })
      const again = await webhook()

      assert.deepEqual(
        made.map(({ status }) => status),
        [201, 201, 201, 201],
      )
      assertReached(third, 'webhooks', 2)
      assertReached(fourth, 'keys', 3)
      assert.deepEqual([changed.status, again.status], [200, 201])
    })

    it('has the limits that its operator gives it', async (t) => {
      const api = await startOver(t, kind, { limitWebhooks: 1, limitKeys: 1 })
      const key = await api.newAccount('acme')
      await api.patch('/v1/accounts/acme', { limits: { webhooks: 0, keys: 2 } })

      const webhook = await api.post('/v1/webhooks', { url: 'https://shop.example/' }, { key })
      const own = await api.post('/v1/keys', { scopes: ['*'] }, { key })
      const administrators = await api.post('/v1/keys', { scopes: ['*'], account: 'acme' })

      assertReached(webhook, 'webhooks', 0)
      assert.equal(own.status, 201)
      assertReached(administrators, 'keys', 2)
      const { json } = await api.get('/v1/accounts/acme')
      assert.deepEqual([json.limits.webhooks, json.limits.eventStreams], [0, null])
    })

    it('sends no message while too many wait', async (t) => {
      const api = await startOver(t, kind, { limitWaitingMessages: 2 })
      const key = await api.newAccount('acme')
      const later = new Date(api.clock.now() + 86_400_000).toISOString()
      const message = { to: '+4915112345678', body: 'hello', scheduledAt: later }
      const send = (): Promise<Read> => api.post('/v1/messages', message, { key })

      const refused = await untilRefused(api, send)
      const { json } = await api.get('/v1/messages', { key })
      for (const { id } of json) await api.delete(`/v1/messages/${id}`, { key })
      await send()
      await api.clock.advance(1000)
      await api.get('/v1/messages', { key })

      assertReached(refused, 'waitingMessages', 2)
      const other = await api.newAccount('other')
      const theirs = await api.post('/v1/messages', message, { key: other })
      assert.equal(theirs.status, 201)
    })

    it('makes as many webhooks and keys at a time as it has room for', async (t) => {
      const api = await startOver(t, kind, { limitWebhooks: 3, limitKeys: 3 })
      const key = await api.newAccount('acme')
      const url = 'https://shop.example/'
      const together = (ask: () => Promise<Read>): Promise<readonly Read[]> =>
        Promise.all(Array.from({ length: 12 }, ask))

      const webhooks = await together(() => api.post('/v1/webhooks', { url }, { key }))
      const keys = await together(() => api.post('/v1/keys', { scopes: ['*:read'] }, { key }))

      const made = (answers: readonly Read[]): number =>
        answers.filter(({ status }) => status === 201).length
      assert.deepEqual([made(webhooks), made(keys)], [3, 2])
    })

    it('makes the messages of a broadcast as earlier ones leave', async (t) => {
      const api = await startOver(t, kind, { limitWaitingMessages: 3 })
      const key = await api.newAccount('acme')
      await api.patch('/v1/carriers/carrier_simulator', { active: false })
      const addresses = [1, 2, 3, 4, 5].map((digit) => `+49151123456${digit}0`)
      const { json } = await api.post(
        '/v1/broadcasts',
        { name: 'b', to: { addresses }, body: 'hello' },
        { key },
      )
      const made = async (): Promise<number> => {
        for (let second = 0; second < 5; second += 1) await api.clock.advance(1000)
        const broadcast = await api.get(`/v1/broadcasts/${json.id}`, { key })
        return broadcast.json.recipients.messages
      }

      const atLimit = await made()
      await api.patch('/v1/accounts/acme', { limits: { waitingMessages: 10 } })
      const raised = await made()

      assert.deepEqual([atLimit, raised], [3, 5])
    })

    it('keeps no further responses for repeated requests', async (t) => {
      const api = await startOver(t, kind, { limitIdempotencyBytes: 1000 })
      const key = await api.newAccount('acme')
      let count = 0
      const send = (): Promise<Read> =>
        api.post(
          '/v1/contacts',
          { address: '12345', name: 'n'.repeat(100) },
          { key, headers: { 'idempotency-key': `"${(count += 1)}"` } },
        )

      const refused = await untilRefused(api, send)
      const without = await api.post('/v1/contacts', { address: '12345' }, { key })

      assertReached(refused, 'idempotencyBytes', 1000)
      assert.equal(without.status, 201)
    })
  })
}

describe('The requests of an account', () => {
  it('have a rate over all its keys', async (t) => {
    const api = await startOver(t, 'memory')
    const first = await api.newAccount('acme')
    const { json } = await api.post('/v1/keys', { scopes: ['*'], account: 'acme' })
    await api.patch('/v1/accounts/acme', { limits: { requestsPerSecond: 2 } })

    const [one, two, refused] = [
      await api.get('/v1/contacts', { key: first }),
      await api.get('/v1/contacts', { key: json.secret }),
      await api.get('/v1/contacts', { key: first }),
    ]
    await api.clock.advance(500)
    const after = await api.get('/v1/contacts', { key: first })

    assert.deepEqual([one.status, two.status, refused.status, after.status], [200, 200, 429, 200])
    assert.match(refused.json.detail, /requestsPerSecond of 2/)
    assert.equal(refused.headers['retry-after'], '1')
  })

  it('have a number of event streams', async (t) => {
    const api = await startOver(t, 'memory', { limitEventStreams: 1 })
    const open = () =>
      api.handle({
        method: 'GET',
        target: '/v1/notifications',
        headers: { authorization: `Bearer ${api.adminKey}`, accept: 'text/event-stream' },
        body: new Uint8Array(),
      })

    const first = await open()
    const refused = await open()
    first.written?.()
    first.written?.()
    const again = await open()

    assert.deepEqual([first.status, refused.status, again.status], [200, 403, 200])
    assert.match(String(refused.body), /eventStreams of 1/)
  })
})
