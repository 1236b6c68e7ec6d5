import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  concurrencyLimiter,
  defaultTurnLimits,
  gate,
  type TurnLimits,
  type WebhookSlot,
} from '../../src/delivery/workers/concurrency-limiter.ts'
import { connectionsMax } from '../../src/delivery/egress/poster.ts'
import { settle, virtualClock } from '../support/virtual-clock.ts'
import { messageNames, World, type Receiver } from './support/world.ts'

const secondMs = 1000

describe('a slow receiver', () => {
  it('holds up nobody else', async (t) => {
    const world = new World(t)
    await world.addWebhook('slow')
    world.receive('https://slow.test/', () => new Promise(() => {}))
    const quick = Array.from({ length: 50 }, (_, index) => `quick${index}`)
    for (const id of quick) await world.addWebhook(id)
    await world.start()

    for (const name of messageNames(5)) {
      await world.notify(name)
      await world.clock.advance(100)
    }

    for (const id of quick) assert.deepEqual(world.received(id), messageNames(5), id)
    assert.deepEqual(world.received('slow'), ['m1'])
    assert.ok(world.sent.every(({ at, messageIds }) => at <= Number(messageIds[0]?.slice(1)) * 100))
  })

  it('holds up others of its own origin only when all its places are taken', async (t) => {
    const world = new World(t)
    for (const id of ['one', 'two', 'three']) {
      await world.addWebhook(id, { url: `https://shared.test/${id}` })
      world.receive(`https://shared.test/${id}`, answersAfter(world, 10 * secondMs))
    }
    await world.addWebhook('w')
    await world.start({ limits: limits(10, 2, 5, 5) })

    await world.notify('m1')
    const atOnce = world.sent.map(({ url }) => url).toSorted()
    await world.clock.advance(10 * secondMs)

    assert.deepEqual(atOnce, [
      'https://shared.test/one',
      'https://shared.test/three',
      'https://w.test/',
    ])
    assert.equal(world.sent.length, 4)
  })

  it('does not make others send to where they no longer lead', async (t) => {
    const world = new World(t)
    await world.addWebhook('slow')
    let answer: (status: number) => void = () => {}
    world.receive('https://slow.test/', () => new Promise((resolve) => (answer = resolve)))
    await world.addWebhook('w')
    await world.start({ limits: limits(1, 1, 1, 1) })
    await world.notify('m1')

    await world.change('w', { url: 'https://new.test/' }, (progress) => progress)
    answer(204)
    await settle(10)

    assert.deepEqual(world.received('w'), [])
    assert.deepEqual(world.received('new'), ['m1'])
  })

  it('that retries holds no place while it waits', async (t) => {
    const world = new World(t)
    await world.addWebhook('dead')
    world.receive('https://dead.test/', () => 500)
    await world.addWebhook('w')
    await world.start({ limits: limits(1, 1, 1, 1) })

    await world.notify('m1')
    await world.notify('m2')

    assert.deepEqual(world.received('w'), ['m1', 'm2'])
  })

  it('and others like it leave places to those that do not fail', async (t) => {
    const world = new World(t)
    for (let index = 0; index < 10; index += 1) {
      await world.addWebhook(`dead${index}`)
      world.receive(`https://dead${index}.test/`, () => 500)
    }
    await world.start({ limits: limits(4, 4, 2, 2) })
    await world.notify('m1')

    for (let index = 0; index < 10; index += 1) {
      world.receive(`https://dead${index}.test/`, () => new Promise(() => {}))
    }
    await world.clock.advance(10 * secondMs)
    await world.addWebhook('w')
    await world.notify('m2')

    assert.deepEqual(world.received('w'), ['m2'])
  })
})

describe('900 receivers of 1,000 that never answer', () => {
  const quick = Array.from({ length: 100 }, (_, index) => `quick${index}`)
  const dead = Array.from({ length: 900 }, (_, index) => `dead${index}`)

  for (const [name, originOf] of [
    ['each at an origin of its own', (id: string) => `https://${id}.test/`],
    ['all at one origin', (id: string) => `https://dead.test/${id}`],
  ] as const) {
    it(`do not delay the other 100, ${name}`, async (t) => {
      const world = new World(t)
      for (const id of dead) {
        await world.addWebhook(id, { url: originOf(id) })
        world.receive(originOf(id), answersAfter(world, 15 * secondMs, 503))
      }
      for (const id of quick) {
        await world.addWebhook(id)
        world.receive(`https://${id}.test/`, answersAfter(world, 20))
      }
      await world.start()

      for (const name of messageNames(4)) {
        const sentAt = world.clock.now()
        await world.notify(name)
        await world.clock.advance(40)
        const late = quick.filter((id) => world.received(id).at(-1) !== name)
        assert.deepEqual(late, [], `after ${world.clock.now() - sentAt} ms`)
        await world.clock.advance(10 * secondMs)
      }
    })
  }

  it('do not delay the other 100 at the very same origin, which have answered before', async (t) => {
    const world = new World(t)
    const urlOf = (id: string): string => `https://shared.test/${id}`
    for (const id of quick) {
      await world.addWebhook(id, { url: urlOf(id) })
      world.receive(urlOf(id), answersAfter(world, 20))
    }
    await world.start()
    await world.notify('m0')
    await world.clock.advance(10 * secondMs)
    for (const id of dead) {
      await world.addWebhook(id, { url: urlOf(id) })
      world.receive(urlOf(id), answersAfter(world, 15 * secondMs, 503))
    }
    await world.clock.advance(10 * secondMs)

    for (const name of messageNames(4)) {
      await world.notify(name)
      // There are 24 places: 100 take five times as long as one.
      await world.clock.advance(200)
      const arrived = world.sent.filter(
        ({ url, messageIds }) => url.includes('quick') && messageIds.includes(name),
      )
      assert.equal(arrived.length, quick.length)
      await world.clock.advance(10 * secondMs)
    }
  })
})

describe('a webhook with a long backlog', () => {
  it('takes turns with the others', async (t) => {
    const world = new World(t)
    await world.addWebhook('long', { maxBatch: 1 })
    await world.notify(...messageNames(20))
    await world.addWebhook('short', { maxBatch: 1 })
    for (const id of ['long', 'short']) {
      world.receive(`https://${id}.test/`, answersAfter(world, secondMs))
    }
    await world.start({ limits: limits(1, 1, 1, 1) })

    await world.notify('n1', 'n2')
    await world.clock.advance(10 * secondMs)

    const order = world.sent.map(({ url }) => url.slice('https://'.length, -'.test/'.length))
    assert.deepEqual(order.slice(0, 6), ['long', 'short', 'long', 'short', 'long', 'long'])
  })
})

describe('a gate', () => {
  it('lets in so many, the others in their order', async () => {
    const two = gate(2)
    const entered: number[] = []

    for (const name of [1, 2, 3, 4, 5]) void two.enter().then(() => entered.push(name))
    await settle(1)
    assert.deepEqual(entered, [1, 2])
    assert.equal(two.waiting(), 3)
    two.leave()
    await settle(1)
    assert.deepEqual(entered, [1, 2, 3])
    two.leave()
    two.leave()
    await settle(1)

    assert.deepEqual(entered, [1, 2, 3, 4, 5])
    two.leave()
    two.leave()
    assert.ok(two.isEmpty())
  })
})

describe('a turn', () => {
  it('is contended when another has waited for it for a moment', async () => {
    const clock = virtualClock()
    const shared = concurrencyLimiter(limits(2, 1, 1, 1), clock)

    const first = await shared.take('https://a.test', 'PROVEN')
    const second = await shared.take('https://b.test', 'PROVEN')
    await clock.advance(30)
    assert.equal(first.isContended(), false)
    const third = shared.take('https://a.test', 'PROVEN')
    assert.equal(first.isContended(), true)
    assert.equal(second.isContended(), false)
    first.end()

    ;(await third).end()
    second.end()
  })

  it('lasts a moment where others wait, so that each does more than one thing', async () => {
    const clock = virtualClock()
    const shared = concurrencyLimiter(limits(1, 1, 1, 1), clock)

    const first = await shared.take('https://a.test', 'PROVEN')
    const second = shared.take('https://a.test', 'PROVEN')
    const atOnce = first.isContended()
    await clock.advance(30)
    const later = first.isContended()
    first.end()

    assert.deepEqual([atOnce, later], [false, true])
    ;(await second).end()
  })

  it('whose receiver does not answer gives up its place to one that waits', async () => {
    const clock = virtualClock()
    const shared = concurrencyLimiter(
      { ...limits(1, 1, 1, 1), stalled: 1, stalledPerOrigin: 1 },
      clock,
    )
    const hanging = await shared.take('https://a.test', 'PROVEN')
    hanging.away()

    const second = shared.take('https://a.test', 'PROVEN')
    await clock.advance(200)
    const taken = await second
    taken.away()
    let third: WebhookSlot | null = null
    void shared.take('https://a.test', 'PROVEN').then((turn) => (third = turn))
    await clock.advance(1000)
    assert.equal(third, null, 'there is room for one that stalls')
    hanging.back()

    assert.equal(hanging.isContended(), true)
    hanging.end()
    await clock.advance(1000)
    assert.notEqual(third, null)
  })

  it('never waits for a connection behind those that stall', () => {
    const { perOrigin, unprovenPerOrigin, failingPerOrigin, stalledPerOrigin } = defaultTurnLimits

    assert.ok(perOrigin + unprovenPerOrigin + failingPerOrigin + stalledPerOrigin <= connectionsMax)
  })

  it('that holds what nobody wants stays as it is, however long its receiver takes', async () => {
    const clock = virtualClock()
    const shared = concurrencyLimiter(
      { ...limits(1, 1, 1, 1), stalled: 1, stalledPerOrigin: 1 },
      clock,
    )

    const alone = await shared.take('https://a.test', 'PROVEN')
    alone.away()
    await clock.advance(60 * secondMs)

    assert.equal(alone.isContended(), false)
    assert.equal(clock.waiting(), 0)
  })
})

/** Places, and no room for those that stall. */
function limits(
  total: number,
  perOrigin: number,
  failing: number,
  failingPerOrigin: number,
): TurnLimits {
  const unproven = { unproven: total, unprovenPerOrigin: perOrigin }
  const stalled = { stalled: 0, stalledPerOrigin: 0 }
  return { total, perOrigin, ...unproven, failing, failingPerOrigin, ...stalled }
}

function answersAfter(world: World, delayMs: number, code = 204): Receiver {
  return () => new Promise((resolve) => world.clock.after(delayMs, () => resolve(code)))
}
