import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boolean, integer, reference, text } from '../../src/core/declaration/field.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { catalogue } from '../../src/engine/catalogue.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
import { startApi, type Read } from '../support/api.ts'

/** The pointers of a refusal, in their order. */
function pointers({ status, json }: Read): readonly string[] {
  assert.deepEqual([status, json.type], [400, '/problems/invalid-body'])
  return json.errors.map(({ pointer }: { pointer: string }) => pointer)
}

describe('A refusal names every fault at once', () => {
  it('of a message: those of its fields, of its text and of its times', async (t) => {
    const api = await startApi(t)

    const refused = await api.post('/v1/messages', {
      protocolId: 999,
      colour: 'red',
      body: 'ç'.repeat(2000),
      carrier: 'carrier_none',
      scheduledAt: '2001-01-01T00:00:00Z',
      validUntil: '2001-01-01T00:00:00Z',
    })

    assert.deepEqual(pointers(refused), [
      '/colour',
      '/to',
      '/protocolId',
      '/body',
      '/carrier',
      '/scheduledAt',
      '/validUntil',
    ])
  })

  it('of a message, and says nothing of what depends on a field that is at fault', async (t) => {
    const api = await startApi(t)

    const refused = await api.post('/v1/messages', {
      to: '+447700900123',
      encoding: 'MORSE',
      body: 'é'.repeat(2000),
      maxParts: 0,
    })

    assert.deepEqual(pointers(refused), ['/encoding', '/maxParts'])
  })

  it('of a change of a message', async (t) => {
    const api = await startApi(t)
    const scheduledAt = new Date(api.clock.now() + 3_600_000).toISOString()
    const { json } = await api.post('/v1/messages', { to: '12345', body: 'x', scheduledAt })

    const refused = await api.patch(`/v1/messages/${json.id}`, {
      messageClass: 9,
      validUntil: '2001-01-01T00:00:00Z',
      status: { type: 1 },
    })

    assert.deepEqual(pointers(refused), ['/messageClass', '/validUntil', '/status'])
  })

  it('of a webhook: where it leads, its header fields, its secret', async (t) => {
    const api = await startApi(t)

    const refused = await api.post('/v1/webhooks', {
      url: 'https://10.0.0.1/',
      maxBatch: 0,
      headers: { Host: 'x' },
      secret: 'whsec_c2hvcnQ=',
    })

    assert.deepEqual(pointers(refused), ['/maxBatch', '/url', '/headers/Host', '/secret'])
  })

  it('of a key, a number and a maintenance window', async (t) => {
    const api = await startApi(t)

    const key = await api.post('/v1/keys', {
      scopes: ['message:read'],
      name: 5,
      account: 'nobody',
      expiresAt: '2001-01-01T00:00:00Z',
    })
    const number = await api.post('/v1/numbers', { address: '?', carrier: 'none', account: 'no' })
    const window = await api.post('/v1/maintenanceWindows', {
      retryAfterSeconds: 0,
      startsAt: '2030-01-02T00:00:00Z',
      endsAt: '2030-01-01T00:00:00Z',
    })

    assert.deepEqual(pointers(key), ['/name', '/account', '/scopes/0', '/expiresAt'])
    assert.deepEqual(pointers(number), ['/address', '/account', '/carrier'])
    assert.deepEqual(pointers(window), ['/retryAfterSeconds', '/endsAt'])
  })

  it('of an instance that refers to others: kinds and references', async (t) => {
    const orders = collection({
      name: 'orders',
      noun: 'order',
      description: 'An order.',
      fields: {
        contact: reference('contacts', { required: true }),
        groups: reference('groups', { nullable: true }),
        count: integer({ required: true }),
        paid: boolean({ default: false }),
        note: text({ nullable: true, maxLength: 3 }),
      },
    })
    const collections = [...standardOffer.collections, orders]
    assert.equal(catalogue(collections).find('orders')?.references.length, 2)
    const api = await startApi(t, { offer: { ...standardOffer, collections } })

    const refused = await api.post('/v1/orders', {
      contact: 'nobody',
      groups: 'none',
      count: '5',
      paid: 'true',
      note: 'long',
    })

    assert.deepEqual(pointers(refused), ['/count', '/paid', '/note', '/contact', '/groups'])
    assert.deepEqual(
      refused.json.errors.slice(0, 2).map(({ detail }: { detail: string }) => detail),
      [
        'must be a whole number, is a text: leave out the quotation marks',
        'must be true or false, is a text: leave out the quotation marks',
      ],
    )
  })

  it('in words, where a form is asked for', async (t) => {
    const api = await startApi(t)
    const routes = [{ prefix: 'abc' }]
    const spaced = { headers: { 'idempotency-key': 'order 17' } }

    const webhook = await api.put('/v1/webhooks/w', { url: 'https://x.example/', secret: 'abc' })
    const carrier = await api.put('/v1/carriers/c', { type: 'SIMULATOR', routes })
    const key = await api.post('/v1/contacts', { address: '12345' }, spaced)

    assert.deepEqual(webhook.json.errors, [
      { pointer: '/secret', detail: 'must be "whsec_" and 24 to 64 bytes in base64' },
    ])
    assert.deepEqual(carrier.json.errors, [
      {
        pointer: '/routes/0/prefix',
        detail: 'must be the beginning of an address, such as +49 or nothing',
      },
    ])
    assert.equal(
      key.json.detail,
      'Idempotency-Key must be 1 to 255 printable ASCII characters, without spaces.',
    )
  })

  it('and leaves nothing behind', async (t) => {
    const api = await startApi(t)

    await api.put('/v1/webhooks/w', { url: 'https://example.com/', maxBatch: 0 })
    await api.put('/v1/messages/m', { to: '12345', body: 'x', protocolId: -1 })

    assert.equal((await api.get('/v1/webhooks/w')).status, 404)
    assert.equal((await api.get('/v1/messages/m')).status, 404)
  })
})
