import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gateway } from '../../src/gateway/gateway.ts'
import { simulator } from '../../src/carriers/simulator/simulator.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { settle } from '../support/virtual-clock.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { mortalStore } from './support/mortal-store.ts'
import { storeKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const log = (): void => {}

/** Starts a gateway that dies with its nth transaction, and tells whether it has. */
async function startMortal(world: World, nth: number, when: 'before' | 'after') {
  const { store, dead } = mortalStore(world.store, nth, when)
  const { clock, newId } = world
  const carrier = simulator({ id: 'carrier_simulator', delayMs: 200, clock, newId, log })
  const random = seededRandom(nth)
  void gateway({
    store,
    carriers: fixedCarriers(store, [carrier]),
    clock,
    newId,
    log,
    random,
  }).start()
  await settle()
  return dead
}

describe('a process that dies', () => {
  const moments = storeKinds.flatMap((kind) => [
    [kind, 'before'] as const,
    [kind, 'after'] as const,
  ])
  for (const [kind, when] of moments) {
    it(`${when} any commit loses no message, no receipt and no reply: ${kind}`, async () => {
      let deaths = 0
      for (let nth = 1; nth <= 12; nth += 1) {
        await using world = await openWorld(kind, nth)
        const dead = await startMortal(world, nth, when)
        const ids: string[] = []
        for (const to of ['+4915112345678', '+10000000004', '+10000000002']) {
          ids.push((await world.post(aMessage({ to, body: 'long '.repeat(60) }))).id)
        }
        await world.clock.advance(1000)
        if (dead()) deaths += 1

        await world.start([simulator({ id: 'carrier_simulator', delayMs: 200, log, ...world })])
        await world.clock.advance(70_000)

        const ends = await Promise.all(ids.map(async (id) => (await world.told(id)).slice(-2)))
        assert.deepEqual(ends, [
          ['SENT.null', 'DELIVERED.null'],
          ['SENT.null', 'DELIVERED.null'],
          ['ACCEPTED.null', 'FAILED.REJECTED'],
        ])
        for (const id of ids)
          assert.equal(new Set(await world.told(id)).size, (await world.told(id)).length)
        assert.equal((await world.received()).length, 1)
      }
      assert.ok(deaths >= 6, `it died only ${deaths} times`)
    })
  }

  it('while a message is handed over leaves it uncertain: it is sent again and marked', async () => {
    await using world = await openWorld()
    const { store } = mortalStore(world.store, 3, 'before')
    const first = fakeCarrier()
    const { clock, newId } = world
    const { id } = await world.post(aMessage())
    void gateway({
      store,
      carriers: fixedCarriers(store, [first]),
      clock,
      newId,
      log,
      random: seededRandom(1),
    }).start()
    await world.until('it is handed over', () => first.submitted.length > 0)

    const second = fakeCarrier()
    await world.start([second])
    await world.clock.advance(59_000)
    const early = second.submitted.length
    await world.clock.advance(6000)
    await world.comesTo(id, 'SENT.null')

    assert.equal(early, 0)
    assert.equal(second.submitted.length, 1)
    const message = await world.message(id)
    assert.deepEqual(
      message?.history.map(({ status }) => status),
      ['ACCEPTED.null', 'ACCEPTED.RESUBMITTED', 'SENT.null'],
    )
    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null'])
  })

  it('leaves an uncertain message unknown where the operator wants none sent twice', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => ({ kind: 'UNCERTAIN', reason: 'the link broke' }))
    await world.start([carrier], { resubmit: false })

    const { id } = await world.post(aMessage())
    await world.clock.advance(70_000)
    await world.comesTo(id, 'UNKNOWN.NO_RESPONSE')

    assert.equal(carrier.submitted.length, 1)
  })
})

describe('a gateway that is stopped', () => {
  it('claims no more, and waits for what is being handed over', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    const gateway = await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length > 0)

    const stopped = gateway[Symbol.asyncDispose]()
    const next = await world.post(aMessage())
    await world.clock.advance(10_000)
    carrier.answer()
    await stopped

    assert.equal((await world.message(id))?.status.type, 'SENT')
    assert.equal((await world.message(next.id))?.status.type, 'ACCEPTED')
    assert.equal(carrier.submitted.length, 1)
  })

  it('waits no longer than 20 seconds', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    const gateway = await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length > 0)

    const stopped = gateway[Symbol.asyncDispose]()
    await world.clock.advance(20_000)
    await stopped

    assert.equal((await world.message(id))?.status.type, 'ACCEPTED')
  })
})
