import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { defaultAccount } from '../../src/core/account.ts'
import { Problem } from '../../src/core/problem.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import type { SubmitOutcome } from '../../src/core/ports/carrier.ts'
import { optOuts } from '../../src/collections/opt-outs.ts'
import { simulator } from '../../src/carriers/simulator/simulator.ts'
import { gateway } from '../../src/gateway/gateway.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { settle } from '../support/virtual-clock.ts'
import { checkCredits, creditsLeft, topUp } from './support/counted.ts'
import { fakeCarrier, taken } from './support/fake-carrier.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { mortalStore } from './support/mortal-store.ts'
import { everyStoreKind, storeKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const missing = await noPostgres()
const log = (): void => {}
const [usual, refused, optedOut] = ['+4915112345678', '+10000000002', '+4915100000009']
const long = (parts: number): string => 'a'.repeat(parts === 1 ? 1 : 153 * parts)

async function optOut({ store, clock }: World): Promise<void> {
  const at = timestamp(clock.now())
  const instance = { id: 'o1', address: optedOut, sender: null, reason: 'REQUEST', note: null }
  const hidden = { pair: `${optedOut}|` }
  await store.transact((tx) =>
    tx
      .in(defaultAccount)
      .save(optOuts, { id: 'o1' }, { ...instance, createdAt: at, updatedAt: at }, hidden),
  )
}

/** The carrier refuses one recipient, and of every eighth message to others it never says what became. */
function whimsical(seed: number): ReturnType<typeof fakeCarrier> {
  const random = seededRandom(seed)
  return fakeCarrier((message): SubmitOutcome => {
    const dice = random.fraction()
    if (message.to === refused) return { kind: 'REJECTED', detail: 'REJECTED' }
    if (dice < 0.1) return { kind: 'UNCERTAIN', reason: 'the link broke' }
    return dice < 0.3 ? { kind: 'BUSY', retryAfterMs: 5000, reason: 'busy' } : taken(message)
  })
}

const step = fc.record({
  kind: fc.constantFrom('send', 'send', 'change', 'cancel', 'delete', 'topUp', 'wait'),
  of: fc.nat(9),
  to: fc.constantFrom(usual, usual, refused, optedOut),
  parts: fc.integer({ min: 1, max: 5 }),
  delayMs: fc.constantFrom(0, 0, 3000, 70_000),
  validMs: fc.constantFrom(null, null, 65_000),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A client may be refused; what it did then must have changed nothing. */
async function take(world: World, ids: string[], one: Step): Promise<void> {
  const { to, parts, delayMs, validMs } = one
  const id = ids[one.of % Math.max(ids.length, 1)]
  const at = (ms: number): string => timestamp(world.clock.now() + ms)
  const times = {
    ...(delayMs > 0 && validMs === null && { scheduledAt: at(delayMs) }),
    ...(validMs !== null && { validUntil: at(validMs) }),
  }
  try {
    if (one.kind === 'topUp') await topUp(world, parts)
    else if (one.kind === 'wait') await world.clock.advance(delayMs + 1)
    else if (one.kind === 'send' || id === undefined) {
      ids.push((await world.post(aMessage({ to, body: long(parts), ...times }))).id)
    } else if (one.kind === 'change') await world.patch(id, { body: long(parts) })
    else if (one.kind === 'cancel') await world.patch(id, { status: { type: 'CANCELLED' } })
    else await world.remove(id)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

for (const kind of everyStoreKind) {
  const skip = kind === 'postgres' && missing
  describe(`the ledger of credits, over ${kind}`, { skip }, () => {
    it('adds up after every step of whatever clients, carriers and operators do', async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 25 }),
        fc.nat(),
        async (steps, seed) => {
          await using world = await openWorld(kind, seed)
          const ids: string[] = []
          await optOut(world)
          await topUp(world, 8)
          await world.start([whimsical(seed)])
          for (const one of steps) {
            await take(world, ids, one)
            await settle(2)
            await checkCredits(world)
          }
          await world.clock.advance(200_000)
          await checkCredits(world)
        },
      )

      await fc.assert(property, { numRuns: kind === 'postgres' ? 4 : 40, seed: 11 })
    })
  })
}

for (const kind of storeKinds) {
  for (const when of ['before', 'after'] as const) {
    it(`credits come back once when the process dies ${when} any commit: ${kind}`, async () => {
      for (let nth = 1; nth <= 10; nth += 1) {
        await using world = await openWorld(kind, nth)
        const { clock, newId } = world
        const { store } = mortalStore(world.store, nth, when)
        const carrier = simulator({ id: 'carrier_simulator', delayMs: 200, clock, newId, log })
        const carriers = fixedCarriers(store, [carrier])
        await optOut(world)
        await topUp(world, 10)
        const mortal = { store, carriers, clock, newId, log, random: seededRandom(nth) }
        void gateway(mortal).start()
        await settle()
        for (const to of [usual, refused, optedOut]) await world.post(aMessage({ to }))
        await clock.advance(1000)
        await checkCredits(world)

        await world.start([simulator({ id: 'carrier_simulator', delayMs: 200, log, ...world })])
        await clock.advance(70_000)

        await checkCredits(world)
        // What may have been handed over before the process died is paid for.
        const left = await creditsLeft(world)
        assert.ok(left === 9 || left === 8, `${left} are left`)
      }
    })
  }
}

describe('credits of a message', () => {
  it('are kept where its carrier took a part of it before it refused another', async () => {
    await using world = await openWorld()
    await topUp(world, 5)
    await world.start([
      fakeCarrier(() => ({ kind: 'REJECTED', detail: 'REJECTED', isBegun: true })),
    ])

    const { id } = await world.post(aMessage({ body: long(2) }))
    await world.comesTo(id, 'FAILED.REJECTED')

    assert.equal(await creditsLeft(world), 3)
  })

  it('are kept where it may have left before, whatever its carrier says the second time', async () => {
    await using world = await openWorld()
    await topUp(world, 5)
    const answers: SubmitOutcome[] = [
      { kind: 'UNCERTAIN', reason: 'the link broke' },
      { kind: 'REJECTED', detail: 'REJECTED' },
    ]
    await world.start([fakeCarrier(() => answers.shift() ?? null)])

    const { id } = await world.post(aMessage())
    await world.clock.advance(70_000)
    await world.comesTo(id, 'FAILED.REJECTED')

    assert.equal(await creditsLeft(world), 4)
  })

  const outcomes: readonly (readonly [SubmitOutcome, number])[] = [
    [{ kind: 'BUSY', retryAfterMs: 0, reason: 'the message was deleted' }, 5],
    [{ kind: 'REJECTED', detail: 'REJECTED' }, 5],
    [{ kind: 'REJECTED', detail: 'REJECTED', isBegun: true }, 4],
    [{ kind: 'UNCERTAIN', reason: 'the link broke' }, 4],
    [{ kind: 'SUBMITTED', carrierMessageIds: ['1'] }, 4],
  ]
  for (const [outcome, left] of outcomes) {
    const begun = 'isBegun' in outcome ? ', begun' : ''
    it(`are ${left} of 5 where it was deleted while its carrier had it (${outcome.kind}${begun})`, async () => {
      await using world = await openWorld()
      await topUp(world, 5)
      const carrier = fakeCarrier(() => null)
      await world.start([carrier])
      const { id } = await world.post(aMessage())
      await world.until('it is handed over', () => carrier.submitted.length > 0)

      await world.remove(id)
      carrier.answer(outcome)
      await world.clock.advance(1000)

      assert.equal(await creditsLeft(world), left)
    })
  }

  it('are those of the message alone, if another had its identifier before', async () => {
    await using world = await openWorld()
    await topUp(world, 5)
    const scheduledAt = timestamp(world.clock.now() + 1000)
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    await world.put('m1', aMessage())
    await world.until('it is handed over', () => carrier.submitted.length > 0)
    await world.remove('m1')

    await world.put('m1', aMessage({ body: long(2), scheduledAt }))
    await world.patch('m1', { status: { type: 'CANCELLED' } })

    assert.equal(await creditsLeft(world), 4)
  })
})
