import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SubmitOutcome } from '../../src/core/ports/carrier.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { gateway } from '../../src/gateway/gateway.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { fakeCarrier, taken } from './support/fake-carrier.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { storeKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const minute = 60_000
const log = (): void => {}
const silent: SubmitOutcome = { kind: 'UNCERTAIN', reason: 'no answer' }

async function historyOf(world: World, id: string): Promise<readonly string[]> {
  return (await world.message(id))?.history.map(({ status }) => status) ?? []
}

describe('a message that its carrier leaves unanswered', () => {
  for (const kind of storeKinds) {
    it(`goes again three times, more and more seldom, and is then UNKNOWN: ${kind}`, async () => {
      await using world = await openWorld(kind)
      const at: number[] = []
      const carrier = fakeCarrier(() => {
        at.push(world.clock.now())
        return silent
      })
      await world.start([carrier])

      const { id } = await world.post(aMessage())
      for (let passed = 0; passed < 120; passed += 1) await world.clock.advance(minute)
      await world.comesTo(id, 'UNKNOWN.NO_RESPONSE')

      const waits = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / minute)
      assert.equal(waits.length, 3)
      for (const [index, least] of [1, 5, 25].entries()) {
        const wait = waits[index] ?? 0
        assert.ok(wait >= least && wait <= least * 1.25 + 0.2, `it went after ${waits.join()}`)
      }
      assert.deepEqual(await historyOf(world, id), [
        'ACCEPTED.null',
        ...Array.from({ length: 3 }, () => 'ACCEPTED.RESUBMITTED'),
        'UNKNOWN.NO_RESPONSE',
      ])
    })

    it(`is DELIVERED where the answer to an earlier copy still comes, and its receipt: ${kind}`, async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier((message) =>
        carrier.submitted.length === 2 ? taken(message) : silent,
      )
      await world.start([carrier])
      const { id } = await world.post(aMessage())
      await world.clock.advance(2 * minute)

      await carrier.report({
        kind: 'RECEIPT',
        carrierMessageId: `${id}.1`,
        outcome: { type: 'DELIVERED', detail: null },
      })

      assert.deepEqual(await historyOf(world, id), [
        'ACCEPTED.null',
        'ACCEPTED.RESUBMITTED',
        'SENT.null',
        'DELIVERED.null',
      ])
    })
  }

  it('is UNKNOWN, and not FAILED, where its validity ends meanwhile', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => silent)
    await world.start([carrier])
    const validUntil = new Date(world.clock.now() + 3 * minute).toISOString()

    const { id } = await world.post(aMessage({ validUntil }))
    for (let passed = 0; passed < 10; passed += 1) await world.clock.advance(minute)

    await world.comesTo(id, 'UNKNOWN.NO_RESPONSE')
    assert.equal(carrier.submitted.length, 2)
  })

  it('is UNKNOWN, and not FAILED, where a later copy is surely not taken until its validity ends', async () => {
    await using world = await openWorld()
    const busy: SubmitOutcome = { kind: 'BUSY', retryAfterMs: 60_000, reason: 'later' }
    const carrier = fakeCarrier(() => (carrier.submitted.length === 1 ? silent : busy))
    await world.start([carrier])
    const validUntil = new Date(world.clock.now() + 5 * minute).toISOString()

    const { id } = await world.post(aMessage({ validUntil }))
    for (let passed = 0; passed < 10; passed += 1) await world.clock.advance(minute)

    await world.comesTo(id, 'UNKNOWN.NO_RESPONSE')
    assert.ok(carrier.submitted.length > 2)
    assert.ok(!(await historyOf(world, id)).some((status) => status.startsWith('FAILED')))
  })

  it('goes again however often the process died while it was handed over', async () => {
    await using world = await openWorld()
    const { id } = await world.post(aMessage())

    for (let death = 0; death < 6; death += 1) {
      let dead = false
      const never = new Promise<never>(() => {})
      const carrier = fakeCarrier(() => {
        dead = true
        return null
      })
      const store: Store = {
        ...world.store,
        read: (account, work) => (dead ? never : world.store.read(account, work)),
        transact: (work) => (dead ? never : world.store.transact(work)),
        async [Symbol.asyncDispose]() {},
      }
      const { clock, newId } = world
      const carriers = fixedCarriers(store, [carrier])
      void gateway({ store, carriers, clock, newId, log, random: seededRandom(1) }).start()
      await world.until('it is handed over', () => dead)
      await world.clock.advance(61_000)
    }
    await world.start([fakeCarrier()])

    await world.comesTo(id, 'SENT.null')
    assert.equal((await historyOf(world, id)).length, 8)
  })
})
