import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutgoingRequest } from '../../src/core/ports/outgoing-request.ts'
import { answered, type PostRequest } from '../../src/delivery/egress/post.ts'
import { startApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const correlated = {
  'x-request-id': 'order-7',
  traceparent: `00-${trace}-b7ad6b7169203331-01`,
}
const message = { to: '+4915112345678', body: 'hello' }
const provider = {
  type: 'HTTP',
  settings: {
    request: { url: 'https://provider.example/', json: { text: '{{body}}' } },
    answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/id' }],
  },
}

/** Starts a service whose receivers and providers accept everything. */
async function startAll(t: { after(end: () => Promise<void>): void }) {
  const posted: PostRequest[] = []
  const submitted: OutgoingRequest[] = []
  const lines: { readonly [name: string]: unknown }[] = []
  const api = await startApi(t, {
    config: { log: 'debug', accessLog: 'on' },
    log: (level, event, fields) => void lines.push({ level, event, ...fields }),
    post: async (request) => {
      posted.push(request)
      return { outcome: answered(204, null), response: null }
    },
    send: async (request) => {
      if (request.method !== 'HEAD') submitted.push(request)
      const body = Buffer.from('{"id":"p-1"}')
      return { kind: 'ANSWERED', status: 200, retryAfterMs: null, body, isWhole: true }
    },
  })
  return { api, posted, submitted, lines }
}

describe('A request that names itself and its trace', () => {
  it('is named in its response, and in that of a failed one', async (t) => {
    const { api } = await startAll(t)

    const created = await api.post('/v1/messages', message, { headers: correlated })
    const refused = await api.post('/v1/messages', {}, { headers: correlated })
    const other = await api.get('/v1', { headers: { 'x-request-id': 'not valid' } })

    assert.equal(created.headers['x-request-id'], 'order-7')
    assert.equal(refused.json.requestId, 'order-7')
    assert.match(other.headers['x-request-id'] ?? '', /^request_/)
  })

  it('is forwarded to the webhook, and is no field of the message', async (t) => {
    const { api, posted } = await startAll(t)
    await api.put('/v1/webhooks/all', { url: 'https://receiver.example/' })
    await settle(20)

    const { text, json } = await api.post('/v1/messages', message, { headers: correlated })
    await api.clock.advance(1000)
    await settle(20)

    assert.deepEqual(
      posted.map(({ headers }) => [headers['x-request-id'], headers['traceparent']]),
      [[correlated['x-request-id'], correlated.traceparent]],
    )
    const read = await api.get(`/v1/messages/${json.id}`)
    assert.doesNotMatch(`${text}${read.text}${Buffer.from(posted[0]?.body ?? [])}`, /order-7/)
  })

  it('is forwarded to an HTTP carrier', async (t) => {
    const { api, submitted } = await startAll(t)
    await api.put('/v1/carriers/provider', provider)
    await settle()

    const toProvider = { ...message, carrier: 'provider' }
    await api.post('/v1/messages', toProvider, { headers: correlated })
    await settle(20)

    assert.deepEqual(
      submitted.map(({ headers }) => [headers['x-request-id'], headers['traceparent']]),
      [[correlated['x-request-id'], correlated.traceparent]],
    )
  })

  it('is in every log line of its message, and in the access log', async (t) => {
    const { api, lines } = await startAll(t)
    await api.put('/v1/webhooks/all', { url: 'https://receiver.example/' })
    await settle(20)
    lines.length = 0

    await api.post('/v1/messages?', message, { headers: correlated })
    await api.clock.advance(1000)
    await settle(20)

    assert.deepEqual(
      lines.map(({ event, status }) => [event, status ?? null]),
      [
        ['message status changed', 'ACCEPTED.null'],
        ['request answered', 201],
        ['message status changed', 'SENT.null'],
        ['message status changed', 'DELIVERED.null'],
        ['webhook delivery attempted', null],
      ],
    )
    for (const { requestId, traceId } of lines) {
      assert.deepEqual([requestId, traceId], ['order-7', trace])
    }
  })

  it('is forwarded by the messages of its broadcast', async (t) => {
    const { api, posted } = await startAll(t)
    await api.put('/v1/webhooks/all', { url: 'https://receiver.example/' })
    await api.put('/v1/contacts/anna', { name: 'Anna', address: '+4915112345678' })
    await settle(20)

    const broadcast = { body: 'hello', to: { contacts: ['anna'] } }
    const { status, text } = await api.post('/v1/broadcasts', broadcast, { headers: correlated })
    await api.clock.advance(5000)
    await settle(50)

    assert.equal(status, 201, text)
    assert.deepEqual(
      posted.map(({ headers }) => headers['x-request-id']),
      ['order-7'],
    )
  })

  it('is in the access log without its query', async (t) => {
    const { api, lines } = await startAll(t)

    await api.get('/v1/messages?to=4915112345678')

    const line = lines.find(({ event }) => event === 'request answered')
    assert.deepEqual(line?.['path'], '/v1/messages')
  })
})
