import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { JsonObject } from '../../src/core/json.ts'
import { taken } from '../gateway/support/fake-carrier.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'
import { steeredCarriers, type SteeredCarriers } from './support/steered-carriers.ts'

const second = 1000

/** The service with carriers of these routes. */
async function withCarriers(
  t: TestContext,
  carriers: Readonly<Record<string, JsonObject>>,
): Promise<{ api: TestApi; steered: SteeredCarriers }> {
  const steered = steeredCarriers()
  const api = await startApi(t, { offer: steered.offer })
  for (const [id, fields] of Object.entries(carriers)) {
    await api.put(`/v1/carriers/${id}`, { type: 'SMPP', ...fields })
  }
  await settle()
  return { api, steered }
}

const to = '+27821234567'

async function send(api: TestApi, body: string, fields: JsonObject = {}) {
  const { json, status } = await api.post('/v1/messages', { to, body, ...fields })
  assert.equal(status, 201, JSON.stringify(json))
  await settle(10)
  return json
}

async function read(api: TestApi, { id }: { id: string }) {
  return (await api.get(`/v1/messages/${id}`)).json
}

describe('A message without a carrier', () => {
  it('goes by the longest prefix, and shows by which carrier', async (t) => {
    const { api, steered } = await withCarriers(t, {
      all: { routes: [{ prefix: '' }] },
      africa: { routes: [{ prefix: '+27' }] },
    })

    const one = await send(api, 'one')
    const two = await send(api, 'two', { to: '+4915112345678' })

    assert.deepEqual([steered.bodies('africa'), steered.bodies('all')], [['one'], ['two']])
    assert.deepEqual([(await read(api, one)).carrier, two.carrier], ['africa', 'all'])
  })

  it('goes to the simulator where no other route matches, and waits where that is not active', async (t) => {
    const { api, steered } = await withCarriers(t, { africa: { routes: [{ prefix: '+27' }] } })

    const simulated = await send(api, 'one', { to: '+4915112345678' })
    await api.patch('/v1/carriers/carrier_simulator', { active: false })
    await settle()
    const waiting = await send(api, 'two', { to: '+4915112345678' })
    await api.patch('/v1/carriers/africa', { routes: [{ prefix: '' }] })
    await api.clock.advance(10 * second)

    assert.deepEqual([simulated.carrier, waiting.carrier], ['carrier_simulator', null])
    assert.deepEqual(steered.bodies('africa'), ['two'])
    assert.equal((await read(api, waiting)).carrier, 'africa')
  })

  it('goes by the carrier of its sender’s number, and by the one that it names before that', async (t) => {
    const { api, steered } = await withCarriers(t, {
      a: { routes: [{ prefix: '' }] },
      b: {},
      c: {},
    })
    await api.put('/v1/numbers/one', { address: '12345', carrier: 'b' })

    await send(api, 'one', { from: '12345' })
    await send(api, 'two', { from: '12345', carrier: 'c' })

    assert.deepEqual([steered.bodies('b'), steered.bodies('c')], [['one'], ['two']])
  })
})

describe('A carrier that is down', () => {
  const two = { first: { routes: [{ prefix: '+27' }] }, second: { routes: [{ prefix: '' }] } }

  it('is waited for up to its limit, then the next one takes over', async (t) => {
    const { api, steered } = await withCarriers(t, two)
    steered.set('first', 'DOWN', api.clock.now())

    const message = await send(api, 'one')
    await api.clock.advance(29 * second)
    const early = steered.bodies('second').length
    await api.clock.advance(3 * second)

    assert.deepEqual([message.carrier, early], ['first', 0])
    assert.deepEqual([steered.bodies('first'), steered.bodies('second')], [[], ['one']])
    const after = await read(api, message)
    assert.deepEqual([after.carrier, after.status.type], ['second', 'SENT'])
    assert.deepEqual(
      after.history.map(({ status }: { status: string }) => status),
      ['ACCEPTED.null', 'SENT.null'],
    )
  })

  it('does not begin its limit anew with each attempt to connect', async (t) => {
    const { api, steered } = await withCarriers(t, two)
    steered.set('first', 'DOWN', api.clock.now())
    await send(api, 'one')

    for (let seconds = 0; seconds < 35; seconds += 5) {
      steered.set('first', seconds % 2 === 0 ? 'CONNECTING' : 'DOWN', api.clock.now())
      await api.clock.advance(5 * second)
    }

    assert.deepEqual(steered.bodies('second'), ['one'])
  })

  it('gets what waited for it when it is back', async (t) => {
    const { api, steered } = await withCarriers(t, two)
    steered.set('first', 'DOWN', api.clock.now())
    await send(api, 'one')
    await api.clock.advance(5 * second)

    steered.set('first', 'BOUND', api.clock.now())
    await api.clock.advance(second)

    assert.deepEqual([steered.bodies('first'), steered.bodies('second')], [['one'], []])
  })

  it('keeps what named it, until the validity ends', async (t) => {
    const { api, steered } = await withCarriers(t, two)
    steered.set('first', 'DOWN', api.clock.now())
    const validUntil = new Date(api.clock.now() + 120 * second).toISOString()

    const message = await send(api, 'one', { carrier: 'first', validUntil })
    await api.clock.advance(119 * second)
    const waiting = await read(api, message)
    await api.clock.advance(2 * second)

    const after = await read(api, message)
    assert.deepEqual([waiting.status.id, after.status.id], ['ACCEPTED.null', 'FAILED.EXPIRED'])
    assert.deepEqual([steered.bodies('first'), steered.bodies('second')], [[], []])
  })

  it('keeps for three days at most what has no validity of its own', async (t) => {
    const { api, steered } = await withCarriers(t, { only: { routes: [{ prefix: '' }] } })
    steered.set('only', 'DOWN', api.clock.now())
    const message = await send(api, 'one')

    api.clock.jump(3 * 24 * 3600 * second)
    await api.clock.advance(6 * second)

    assert.equal((await read(api, message)).status.id, 'FAILED.NOT_SENT')
  })

  it('holds no schedule: what is due meanwhile waits, and can be cancelled', async (t) => {
    const { api, steered } = await withCarriers(t, { only: { routes: [{ prefix: '' }] } })
    steered.set('only', 'DOWN', api.clock.now())
    const scheduledAt = new Date(api.clock.now() + 10 * second).toISOString()
    const one = await send(api, 'one', { scheduledAt })
    const cancelled = await send(api, 'two', { scheduledAt })
    await api.clock.advance(20 * second)

    const answer = await api.patch(`/v1/messages/${cancelled.id}`, {
      status: { type: 'CANCELLED' },
    })
    steered.set('only', 'BOUND', api.clock.now())
    await api.clock.advance(second)

    assert.equal(answer.status, 200)
    assert.deepEqual(steered.bodies('only'), ['one'])
    assert.equal((await read(api, one)).status.type, 'SENT')
    assert.equal((await read(api, cancelled)).status.type, 'CANCELLED')
  })

  it('never leaves a real message to the simulator', async (t) => {
    const { api, steered } = await withCarriers(t, { only: { routes: [{ prefix: '+27' }] } })
    steered.set('only', 'DOWN', api.clock.now())
    const down = await send(api, 'one')
    await api.clock.advance(120 * second)
    await api.patch('/v1/carriers/only', { active: false })
    await api.clock.advance(120 * second)

    assert.equal((await read(api, down)).status.type, 'ACCEPTED')
  })
})

describe('A message that may be at its carrier already', () => {
  it('goes to another one only with a mark in its history', async (t) => {
    const { api, steered } = await withCarriers(t, {
      first: { routes: [{ prefix: '+27' }] },
      second: { routes: [{ prefix: '' }] },
    })
    steered.decide('first', () => ({ kind: 'UNCERTAIN', reason: 'the link broke' }))
    const message = await send(api, 'one')
    steered.set('first', 'DOWN', api.clock.now())

    await api.clock.advance(100 * second)

    assert.deepEqual([steered.bodies('first'), steered.bodies('second')], [['one'], ['one']])
    assert.deepEqual(
      (await read(api, message)).history.map(({ status }: { status: string }) => status),
      ['ACCEPTED.null', 'ACCEPTED.RESUBMITTED', 'SENT.null'],
    )
  })
})

describe('A carrier that is deleted', () => {
  it('leaves what named it as NOT_SENT, and the rest to the others', async (t) => {
    const { api, steered } = await withCarriers(t, {
      first: { routes: [{ prefix: '+27' }] },
      second: { routes: [{ prefix: '' }] },
    })
    steered.set('first', 'DOWN', api.clock.now())
    const named = await send(api, 'one', { carrier: 'first' })
    await send(api, 'two')

    await api.delete('/v1/carriers/first')
    await api.clock.advance(2 * second)

    assert.equal((await read(api, named)).status.id, 'FAILED.NOT_SENT')
    assert.deepEqual(steered.bodies('second'), ['two'])
  })
})

describe('A slow carrier', () => {
  it('holds up no other: each has messages in flight of its own', async (t) => {
    const { api, steered } = await withCarriers(t, {
      slow: { routes: [{ prefix: '+27' }], settings: { window: 2 } },
      fast: { routes: [{ prefix: '' }] },
    })
    steered.decide('slow', () => null)
    for (let count = 0; count < 50; count += 1) await send(api, `slow ${count}`)

    await send(api, 'fast', { to: '+4915112345678' })

    const atOnce = steered.bodies('slow').length
    steered.decide('slow', taken)
    for (let count = 0; count < 4; count += 1) steered.of('slow').answer()
    await settle(50)

    assert.deepEqual([atOnce, steered.bodies('slow').length], [4, 50])
    assert.deepEqual(steered.bodies('fast'), ['fast'])
  })

  it('is given no more parts a second than it takes', async (t) => {
    const { api, steered } = await withCarriers(t, {
      slow: { routes: [{ prefix: '' }], settings: { partsPerSecond: 5 } },
    })
    for (let count = 0; count < 30; count += 1) await send(api, `${count}`)

    const atOnce = steered.bodies('slow').length
    await api.clock.advance(2 * second)
    const afterTwo = steered.bodies('slow').length

    assert.ok(atOnce >= 5 && atOnce <= 6, `${atOnce} at once`)
    assert.ok(afterTwo >= 14 && afterTwo <= 16, `${afterTwo} after two seconds`)
  })
})

describe('A number with a rate of its own', () => {
  it('keeps to it in parts, and holds up no other sender of the same carrier', async (t) => {
    const { api, steered } = await withCarriers(t, { one: { routes: [{ prefix: '' }] } })
    await api.put('/v1/numbers/slow', { address: '12345', partsPerSecond: 2 })
    const long = 'x'.repeat(300)
    for (let count = 0; count < 10; count += 1) await send(api, long, { from: '12345' })

    await send(api, 'other', { from: '54321' })
    const other = steered.bodies('one').includes('other')
    await api.clock.advance(5 * second)

    const slow = steered.bodies('one').filter((body) => body === long).length
    assert.equal(other, true)
    assert.ok(slow >= 5 && slow <= 7, `${slow} of two parts each`)
  })

  it('goes as fast as its carrier takes once the rate is gone', async (t) => {
    const { api, steered } = await withCarriers(t, { one: { routes: [{ prefix: '' }] } })
    await api.put('/v1/numbers/slow', { address: '12345', partsPerSecond: 0.1 })
    for (let count = 0; count < 10; count += 1) await send(api, `${count}`, { from: '12345' })

    await api.patch('/v1/numbers/slow', { partsPerSecond: null })
    await api.clock.advance(20 * second)

    assert.equal(steered.bodies('one').length, 10)
  })
})

describe('The priority of a message', () => {
  it('lets the urgent go first, and the others go on', async (t) => {
    const { api, steered } = await withCarriers(t, {
      narrow: { routes: [{ prefix: '' }], settings: { partsPerSecond: 10 } },
    })
    steered.set('narrow', 'CONNECTING', api.clock.now())
    for (let count = 0; count < 100; count += 1) {
      await send(api, 'urgent', { priority: 3 })
      await send(api, 'bulk', { priority: 0 })
    }

    steered.set('narrow', 'BOUND', api.clock.now())
    await api.clock.advance(9 * second)

    const bodies = steered.bodies('narrow')
    const bulk = bodies.filter((body) => body === 'bulk').length
    assert.ok(bodies.length >= 85 && bodies.length <= 105, `${bodies.length}`)
    assert.ok(bulk >= 8 && bulk <= 14, `${bulk} of ${bodies.length}`)
  })
})
