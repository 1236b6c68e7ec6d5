import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhooks } from '../../src/collections/webhooks.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { settle, virtualClock } from '../support/virtual-clock.ts'
import { brittleStore } from './support/brittle-store.ts'
import { messageNames, ours, status, unhurried, World, type Sent } from './support/world.ts'

const secondMs = 1000

describe('a crash', () => {
  it('between the answer and the commit sends the same batch again, under the same identifier', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 3 })
    await world.notify(...messageNames(3))
    const dying = brittleStore(world.store)
    world.receive('https://w.test/', () => {
      dying.isDead = true
      return 204
    })

    await world.start({ store: dying.store, owner: 'node_1' })
    world.receive('https://w.test/', () => 204)
    await world.notify(...messageNames(4, 'later'))
    await world.start({ owner: 'node_2' })
    await world.clock.advance(40 * secondMs)

    const [first, again, ...others] = world.sent
    assert.equal(again?.webhookId, first?.webhookId)
    assert.deepEqual(again?.request.body, first?.request.body)
    assert.deepEqual(
      others.map(({ messageIds }) => messageIds),
      [['later1', 'later2', 'later3'], ['later4']],
    )
  })

  it('while a retry waits leaves it to the next start, at its time', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ at }) => (at === 0 ? status(503, '300') : 204))
    const dispatcher = await world.start({ leaseTimes: unhurried })
    await world.notify('m1')

    await dispatcher.stop(1000)
    await world.clock.advance(100 * secondMs)
    await world.start({ owner: 'node_2', leaseTimes: unhurried })
    await world.clock.advance(100 * secondMs)
    assert.equal(world.sent.length, 1)
    await world.clock.advance(100 * secondMs)

    assert.deepEqual(
      world.sent.map(({ at }) => at),
      [0, 300 * secondMs],
    )
    assert.equal(world.sent[1]?.webhookId, world.sent[0]?.webhookId)
  })

  it('while a retry waits makes it no later, although the wall clock is set back meanwhile', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ at }) => (at === 0 ? status(503, '300') : 204))
    const dispatcher = await world.start({ leaseTimes: unhurried })
    await world.notify('m1')

    await dispatcher.stop(1000)
    world.clock.jump(-36_000 * secondMs)
    await world.start({ owner: 'node_2', leaseTimes: unhurried })
    await world.clock.advance(299 * secondMs)
    assert.equal(world.sent.length, 1)
    await world.clock.advance(2 * secondMs)

    assert.equal(world.sent.length, 2)
  })

  it('is not what a log is that cannot be read for a while either', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 1 })
    await world.notify('m1', 'm2')
    let isReadable = true
    const read: typeof world.store.log.read = (...asked) =>
      isReadable ? world.store.log.read(...asked) : Promise.reject(new Error('cannot be read'))
    world.receive('https://w.test/', () => {
      isReadable = false
      return 204
    })

    await world.start({ store: { ...world.store, log: { ...world.store.log, read } } })
    isReadable = true
    world.receive('https://w.test/', () => 204)
    await world.clock.advance(12 * secondMs)

    assert.deepEqual(world.received('w'), ['m1', 'm2'])
  })

  it('is not what a store is that fails for a while: what was acknowledged is not sent again', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    await world.notify('m1')
    const failing = brittleStore(world.store)
    world.receive('https://w.test/', () => {
      failing.isDead = true
      return 204
    })

    await world.start({ store: failing.store })
    await world.clock.advance(12 * secondMs)
    failing.isDead = false
    world.receive('https://w.test/', () => 204)
    await world.notify('m2')
    await world.clock.advance(12 * secondMs)

    assert.deepEqual(world.received('w'), ['m1', 'm2'])
    assert.ok(world.faults.length > 0)
  })
})

describe('two dispatchers over one store', () => {
  it('serve each webhook once', async (t) => {
    const world = new World(t)
    for (const id of ['a', 'b', 'c']) await world.addWebhook(id)
    await world.start({ owner: 'node_1' })
    await world.start({ owner: 'node_2' })

    await world.notify('m1')
    await world.clock.advance(60 * secondMs)
    await world.notify('m2')

    for (const id of ['a', 'b', 'c']) assert.deepEqual(world.received(id), ['m1', 'm2'])
  })

  it('lose nothing when one is paused in the middle of a request, and comes back', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 2 })
    const frozen = virtualClock()
    let answer: (status: number) => void = () => {}
    world.receive('https://w.test/', () => new Promise((resolve) => (answer = resolve)))
    await world.start({ owner: 'paused', clock: frozen })
    await world.notify('m1', 'm2', 'm3')

    const late = answer
    world.receive('https://w.test/', () => 204)
    await world.start({ owner: 'other' })
    await world.clock.advance(60 * secondMs)
    await world.notify('m4')
    late(204)
    await settle(20)
    await frozen.advance(60 * secondMs)
    await world.notify('m5')

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1', 'm2'], ['m1', 'm2'], ['m3'], ['m4'], ['m5']],
    )
    assert.equal(world.sent[0]?.webhookId, world.sent[1]?.webhookId)
    const attempts = await world.deliveries('w')
    assert.equal(attempts.length, 5)
  })

  it('are not sent again what one had planned that was not told of a change', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => status(503, '60'))
    await world.start({ owner: 'untold', store: deaf(world.store) })
    await world.clock.advance(6 * secondMs)
    await world.notify('m1', 'm2')
    await world.clock.advance(6 * secondMs)
    await world.start({ owner: 'other' })

    world.receive('https://w.test/', () => 204)
    const chosen = { batch: null, ahead: [], nextAttemptAt: null }
    await world.change('w', { maxBatch: 1 }, (progress) => ({ ...progress, ...chosen }))
    await world.notify('m3')
    await world.clock.advance(120 * secondMs)

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1', 'm2'], ['m1'], ['m2'], ['m3']],
    )
  })

  it('take over from one that is gone, within the time of a lease', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    const gone = virtualClock()
    await world.start({ owner: 'gone', clock: gone, store: deaf(world.store) })
    await world.start({ owner: 'other' })

    await world.notify('m1')
    assert.deepEqual(world.sent, [])
    await world.clock.advance(36 * secondMs)

    assert.deepEqual(world.received('w'), ['m1'])
  })
})

describe('a change of a webhook by its owner', () => {
  it('during a request waits for its end: never are two in flight', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    let answer: (status: number) => void = () => {}
    world.receive('https://w.test/', () => new Promise((resolve) => (answer = resolve)))
    await world.start()
    await world.notify('m1')

    await world.change('w', { timeoutMs: 1000 }, (progress) => progress)
    assert.equal(world.sent.length, 1)
    world.receive('https://w.test/', () => 204)
    answer(204)
    await settle(20)

    assert.equal(world.sent.length, 2)
    assert.equal(world.sent[1]?.request.timeoutMs, 1000)
    assert.equal(world.sent[1]?.webhookId, world.sent[0]?.webhookId)
  })

  it('is kept when the dispatcher writes the state', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 500)
    await world.start()
    await world.notify('m1')

    await world.store.transact(async (transaction) => {
      const writer = transaction.in(ours)
      const stored = await writer.find(webhooks, { id: 'w' })
      const instance = { ...JSON.parse(stored?.doc ?? '{}'), name: 'renamed' }
      await writer.save(webhooks, { id: 'w' }, instance, JSON.parse(stored?.hidden ?? 'null'))
    })
    world.receive('https://w.test/', () => 204)
    await world.clock.advance(10 * secondMs)

    const webhook = await world.webhook('w')
    assert.equal(webhook['name'], 'renamed')
    assert.equal(webhook['state'], 'ACTIVE')
  })
})

describe('stopping', () => {
  it('finishes what is in flight, begins nothing new, and lets the next go on at once', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 1 })
    world.receive('https://w.test/', answersAfter(world, 3 * secondMs))
    const dispatcher = await world.start()
    await world.notify('m1', 'm2')

    const stopped = dispatcher.stop(10 * secondMs)
    await world.clock.advance(4 * secondMs)
    await stopped
    assert.equal(world.sent.length, 1)
    await world.start({ owner: 'node_2' })

    assert.deepEqual(world.received('w'), ['m1', 'm2'])
  })

  it('calls off what takes too long; that is sent again under the same identifier', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => new Promise(() => {}))
    const dispatcher = await world.start()
    await world.notify('m1')

    const stopped = dispatcher.stop(2 * secondMs)
    await world.clock.advance(2 * secondMs)
    await stopped
    world.receive('https://w.test/', () => 204)
    await world.start({ owner: 'node_2' })

    assert.deepEqual(world.received('w'), ['m1', 'm1'])
    assert.equal(world.sent[1]?.webhookId, world.sent[0]?.webhookId)
    assert.equal((await world.deliveries('w')).length, 1)
  })
})

function answersAfter(world: World, delayMs: number): (sent: Sent) => Promise<number> {
  return () => new Promise((resolve) => world.clock.after(delayMs, () => resolve(204)))
}

/** A store whose commits are not told of. */
function deaf(store: Store): Store {
  return { ...store, onCommit: () => () => {} }
}
