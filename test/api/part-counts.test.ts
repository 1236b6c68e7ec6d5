import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'
import { steeredCarriers, type SteeredCarriers } from './support/steered-carriers.ts'

/** 5 parts with references of 8 bits, 6 with those of 16 bits. */
const body = 'a'.repeat(765)

/** The service with a carrier for +27 and, with references of 16 bits, one for +49. */
async function withCarriers(
  t: TestContext,
): Promise<{ readonly api: TestApi; readonly steered: SteeredCarriers }> {
  const steered = steeredCarriers()
  const api = await startApi(t, { offer: steered.offer })
  const udh16 = { longMessages: 'UDH16' }
  await api.put('/v1/carriers/short', {
    type: 'SMPP',
    routes: [{ prefix: '+27' }, { prefix: '+1', priority: 0 }],
  })
  await api.put('/v1/carriers/long', {
    type: 'SMPP',
    routes: [{ prefix: '+49' }, { prefix: '+1', priority: 1 }],
    settings: udh16,
  })
  await settle()
  return { api, steered }
}

describe('The number of parts', () => {
  it('is that of the carrier that the route selects', async (t) => {
    const { api } = await withCarriers(t)

    const short = await api.post('/v1/messages', { to: '+27821234567', body })
    const long = await api.post('/v1/messages', { to: '+4915112345678', body })
    const named = await api.post('/v1/messages', { to: '+27821234567', body, carrier: 'long' })

    const counts = [short, long, named].map(({ json }) => [json.numberOfParts, json.creditCost])
    assert.deepEqual(counts, [
      [5, 5],
      [6, 6],
      [6, 6],
    ])
  })

  it('is limited and shown by a dry run in the same way', async (t) => {
    const { api } = await withCarriers(t)
    const limited = { body, maxParts: 5 }
    const dry = { headers: { prefer: 'handling=dry-run' } }

    const fits = await api.post('/v1/messages', { to: '+27821234567', ...limited })
    const refused = await api.post('/v1/messages', { to: '+4915112345678', ...limited })
    const shown = await api.post('/v1/messages', { to: '+4915112345678', body }, dry)

    assert.equal(fits.status, 201)
    assert.equal(refused.status, 400)
    assert.match(refused.json.errors[0].detail, /^takes 6 parts, and at most 5 are allowed/)
    assert.deepEqual([shown.json.numberOfParts, shown.json.creditCost], [6, 6])
  })

  it('changes with the recipient', async (t) => {
    const { api } = await withCarriers(t)
    const scheduledAt = new Date(api.clock.now() + 3_600_000).toISOString()
    const to = '+27821234567'
    const { json } = await api.post('/v1/messages', { to, body, scheduledAt })

    const changed = await api.patch(`/v1/messages/${json.id}`, { to: '+4915112345678' })

    assert.deepEqual([json.numberOfParts, changed.json.numberOfParts], [5, 6])
    assert.equal(changed.json.creditCost, 6)
  })

  it('becomes the larger one if another carrier takes over', async (t) => {
    const { api, steered } = await withCarriers(t)
    steered.set('short', 'DOWN', api.clock.now())
    await api.clock.advance(1000)

    const { json } = await api.post('/v1/messages', { to: '+12025550123', body })
    await api.clock.advance(60_000)
    await settle(20)
    const moved = (await api.get(`/v1/messages/${json.id}`)).json

    assert.deepEqual([json.carrier, json.numberOfParts, json.creditCost], ['short', 5, 5])
    assert.deepEqual([moved.carrier, moved.numberOfParts, moved.creditCost], ['long', 6, 6])
    assert.deepEqual(steered.bodies('long'), [body])
  })

  it('is estimated for a broadcast by the carriers of its recipients', async (t) => {
    const { api } = await withCarriers(t)
    const addresses = ['+27821234567', '+4915112345678']

    const { json, status } = await api.post('/v1/broadcasts', { body, to: { addresses } })

    assert.equal(status, 201, JSON.stringify(json))
    assert.deepEqual([json.estimate.parts, json.estimate.creditCost], [11, 11])
  })
})
