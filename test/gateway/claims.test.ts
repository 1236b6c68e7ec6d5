import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AccountId } from '../../src/core/account.ts'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import type { Transaction, Writer } from '../../src/core/ports/store.ts'
import { refunds } from '../../src/gateway/credits/credits.ts'
import { prepareSubmits } from '../../src/gateway/submission/prepare-submits.ts'
import { writeOutcome, type KnownOutcome } from '../../src/gateway/submission/outcome.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { everyStoreKind } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const leaseMs = 60_000
const missing = await noPostgres()

/** A node claims what is due and hands it over; what became of it is written down when the test says so. */
async function claimed(world: World) {
  const { store, clock, newId } = world
  const place = { lane: 'carrier_simulator', priority: 1 }
  const now = clock.now()
  const [pending] = await store.transact(async (transaction) => {
    const due = await transaction.submissions.claim(now, now + leaseMs, 9, place)
    const claims = due.map((submission) => ({ submission, purpose: 'SUBMIT' as const }))
    const given = { now, dueNow: now, resubmit: true, routeOf: () => null, newId }
    const { ready } = await prepareSubmits(transaction, claims, given)
    return ready
  })
  assert.ok(pending)
  return (outcome: KnownOutcome) => {
    const result = { pending, carrier: 'carrier_simulator', outcome }
    return store.transact((transaction) =>
      writeOutcome(transaction, result, {
        at: clock.now(),
        returns: refunds(transaction, newId),
        receipts: [],
      }),
    )
  }
}

/** Claims what is due while the store does not show its messages. Returns how many are submitted. */
async function claimHidden({ store, clock, newId }: World): Promise<number> {
  const place = { lane: 'carrier_simulator', priority: 1 }
  const now = clock.now()
  const pending = await store.transact(async (transaction) => {
    const due = await transaction.submissions.claim(now, now + leaseMs, 9, place)
    assert.equal(due.length, 1)
    const claims = due.map((submission) => ({ submission, purpose: 'SUBMIT' as const }))
    const given = { now, dueNow: now, resubmit: true, routeOf: () => null, newId }
    const { ready } = await prepareSubmits(hidingMessages(transaction), claims, given)
    return ready
  })
  return pending.length
}

/** The transaction without the messages: on a distributed store they may become visible later. */
function hidingMessages(transaction: Transaction): Transaction {
  const hiding = (writer: Writer): Writer =>
    new Proxy(writer, {
      get: (target, name) => (name === 'find' ? () => null : Reflect.get(target, name, target)),
    })
  return new Proxy(transaction, {
    get: (target, name) => {
      if (name === 'in') return (account: AccountId) => hiding(target.in(account))
      return Reflect.get(target, name, target)
    },
  })
}

for (const kind of everyStoreKind) {
  const skip = kind === 'postgres' && missing
  describe(`a claimed submission whose message is not visible yet, over ${kind}`, { skip }, () => {
    it('is claimed again later, and then submitted', async () => {
      await using world = await openWorld(kind)
      const { id } = await world.post(aMessage())
      const first = await claimHidden(world)
      world.clock.jump(leaseMs)

      const submit = await claimed(world)
      await submit({ kind: 'SUBMITTED', carrierMessageIds: ['c1'] })

      const message = await world.message(id)
      assert.equal(first, 0)
      assert.equal(message?.status.id, 'SENT.null')
    })
  })
}

for (const kind of everyStoreKind) {
  const skip = kind === 'postgres' && missing
  describe(`a node that was paused past its claim, over ${kind}`, { skip }, () => {
    it('moves no state when it wakes, and leaves the newer claim as it is', async () => {
      await using world = await openWorld(kind)
      const { id } = await world.post(aMessage())
      const paused = await claimed(world)
      world.clock.jump(leaseMs)
      const other = await claimed(world)

      await paused({ kind: 'REJECTED', detail: 'REJECTED' })
      const meanwhile = await world.message(id)
      await other({ kind: 'SUBMITTED', carrierMessageIds: ['c2'] })
      await paused({ kind: 'SUBMITTED', carrierMessageIds: ['c1'] })

      const message = await world.message(id)
      assert.equal(meanwhile?.status.id, 'ACCEPTED.null')
      assert.equal(message?.status.id, 'SENT.null')
      assert.deepEqual(
        message?.history.map(({ status }) => status),
        ['ACCEPTED.null', 'ACCEPTED.RESUBMITTED', 'SENT.null'],
      )
      const receipts = await world.store.transact((transaction) =>
        transaction.receipts.pending('carrier_simulator', null, 9),
      )
      assert.deepEqual(
        receipts.map(({ carrierMessageId }) => carrierMessageId),
        ['c1', 'c2'],
      )
    })

    it('has handed over a copy whose receipt is the message’s', async () => {
      await using world = await openWorld(kind)
      const { id } = await world.post(aMessage())
      const paused = await claimed(world)
      world.clock.jump(leaseMs)
      const other = await claimed(world)
      const carrier = fakeCarrier()
      await world.start([carrier])
      const receipt = (carrierMessageId: string, outcome: PartOutcome) =>
        carrier.report({ kind: 'RECEIPT', carrierMessageId, outcome })

      await receipt('c1', { type: 'FAILED', detail: 'REJECTED' })
      await paused({ kind: 'SUBMITTED', carrierMessageIds: ['c1'] })
      const copyFailed = await world.message(id)
      await other({ kind: 'SUBMITTED', carrierMessageIds: ['c2'] })
      const bothSent = await world.message(id)
      await receipt('c2', { type: 'DELIVERED', detail: null })

      const ids = [copyFailed, bothSent, await world.message(id)].map((found) => found?.status.id)
      assert.deepEqual(ids, ['ACCEPTED.null', 'SENT.null', 'DELIVERED.null'])
    })

    it('has handed over a copy that was delivered before the other was sent', async () => {
      await using world = await openWorld(kind)
      const { id } = await world.post(aMessage())
      const paused = await claimed(world)
      world.clock.jump(leaseMs)
      const other = await claimed(world)
      const carrier = fakeCarrier()
      await world.start([carrier])

      await paused({ kind: 'SUBMITTED', carrierMessageIds: ['c1'] })
      const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
      await carrier.report({ kind: 'RECEIPT', carrierMessageId: 'c1', outcome: delivered })
      await other({ kind: 'SUBMITTED', carrierMessageIds: ['c2'] })

      const message = await world.message(id)
      assert.equal(message?.status.id, 'DELIVERED.null')
      assert.deepEqual(
        message?.history.map(({ status }) => status),
        ['ACCEPTED.null', 'ACCEPTED.RESUBMITTED', 'SENT.null', 'DELIVERED.null'],
      )
    })

    it('does not bring back what another has brought to its end', async () => {
      await using world = await openWorld(kind)
      const { id } = await world.post(aMessage())
      const paused = await claimed(world)
      world.clock.jump(leaseMs)
      const other = await claimed(world)
      await other({ kind: 'REJECTED', detail: 'REJECTED' })

      await paused({ kind: 'POSTPONED', dueAt: world.clock.now() })

      const places = await world.store.transact(({ submissions }) =>
        submissions.waiting(world.clock.now()),
      )
      assert.equal((await world.message(id))?.status.id, 'FAILED.REJECTED')
      assert.deepEqual(places, [])
    })
  })
}
