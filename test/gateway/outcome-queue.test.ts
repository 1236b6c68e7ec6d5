import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import type { ReportEvents } from '../../src/core/ports/carrier.ts'
import { joinedReceipts } from '../../src/gateway/reports/joined-receipts.ts'
import { prepareSubmits, type PendingSubmit } from '../../src/gateway/submission/prepare-submits.ts'
import { outcomeQueue } from '../../src/gateway/submission/outcome-queue.ts'
import { settle } from '../support/virtual-clock.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const carrier = 'carrier_simulator'
const delivered = { type: 'DELIVERED', detail: null } as const

/** Claims messages that their carrier has taken, as c1, c2, and so on. */
async function submitted(world: World, count: number) {
  const { store, clock, newId } = world
  for (let made = 0; made < count; made += 1) await world.post(aMessage())
  const now = clock.now()
  const ready = await store.transact(async (transaction): Promise<readonly PendingSubmit[]> => {
    const place = { lane: carrier, priority: 1 }
    const due = await transaction.submissions.claim(now, now + 60_000, count, place)
    const claims = due.map((submission) => ({ submission, purpose: 'SUBMIT' as const }))
    const given = { now, dueNow: now, resubmit: true, routeOf: () => null, newId }
    const { ready } = await prepareSubmits(transaction, claims, given)
    return ready
  })
  assert.equal(ready.length, count)
  return ready.map((pending, index) => {
    const outcome = { kind: 'SUBMITTED', carrierMessageIds: [`c${index + 1}`] } as const
    return { id: pending.kept.message.id, result: { pending, carrier, outcome } }
  })
}

/** Opens a queue over a store whose transactions fail with these errors, each before it begins. */
function queueOver(world: World, failures: Error[]) {
  const { store, clock, newId } = world
  const counted = { transactions: 0 }
  const failing: Store = {
    ...store,
    transact: async (work) => {
      counted.transactions += 1
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return store.transact(work)
    },
  }
  const logged: string[] = []
  const joined = joinedReceipts()
  const queue = outcomeQueue({
    joined,
    store: failing,
    clock,
    newId,
    log: (level, event) => void logged.push(`${level} ${event}`),
    onExpected: () => {},
    signal: new AbortController().signal,
  })
  const alone: string[] = []
  const others: ReportEvents = async (_, events) => {
    for (const event of events) if (event.kind === 'RECEIPT') alone.push(event.carrierMessageId)
  }
  const report = (ids: readonly string[]): Promise<void> =>
    joined.report(others)(
      carrier,
      ids.map((carrierMessageId) => ({ kind: 'RECEIPT', carrierMessageId, outcome: delivered })),
    )
  return { queue, report, alone, counted, logged }
}

const statusesOf = (world: World, all: readonly { readonly id: string }[]) =>
  Promise.all(all.map(async ({ id }) => (await world.message(id))?.status.id))

describe('the outcomes of submits', () => {
  it('share a transaction if they arrive together', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 3)
    const { queue, counted } = queueOver(world, [])

    await Promise.all(all.map(({ result }) => queue.add(result)))

    assert.equal(counted.transactions, 1)
    assert.deepEqual(await statusesOf(world, all), ['SENT.null', 'SENT.null', 'SENT.null'])
  })

  it('wait for a store that is unavailable', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 1)
    const { queue, logged } = queueOver(world, [new StoreUnavailable('for a moment')])

    const stored = Promise.all(all.map(({ result }) => queue.add(result)))
    await world.clock.advance(1000)
    await stored

    assert.deepEqual(logged, ['error outcomes not written'])
    assert.deepEqual(await statusesOf(world, all), ['SENT.null'])
  })

  it('are stored one by one after a fault, so that one does not block the others', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 3)
    const { queue } = queueOver(world, [new Error('together'), new Error('the first')])

    await Promise.all(all.map(({ result }) => queue.add(result)))

    assert.deepEqual(await statusesOf(world, all), ['ACCEPTED.null', 'SENT.null', 'SENT.null'])
  })

  it('are stored in one transaction at a time, those that come meanwhile in the next', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 6)
    const running = { now: 0, most: 0, transactions: 0 }
    const transact: Store['transact'] = async (work, mode) => {
      running.transactions += 1
      running.now += 1
      running.most = Math.max(running.most, running.now)
      await settle(3)
      const result = await world.store.transact(work, mode)
      running.now -= 1
      return result
    }
    const { queue } = queueOver({ ...world, store: { ...world.store, transact } }, [])

    const stored: Promise<void>[] = []
    for (const { result } of all) {
      stored.push(queue.add(result))
      await settle(1)
    }
    await Promise.all(stored)

    assert.equal(running.most, 1)
    assert.ok(running.transactions < all.length)
  })

  it('are stored with the receipts that come before their transaction begins', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 2)
    const { queue, counted, report, alone } = queueOver(world, [])

    const stored = all.map(({ result }) => queue.add(result))
    const reported = report(['c1'])
    await Promise.all([...stored, reported])

    assert.equal(counted.transactions, 1)
    assert.deepEqual(await statusesOf(world, all), ['DELIVERED.null', 'SENT.null'])
    const [first = assert.fail()] = all
    assert.deepEqual((await world.told(first.id)).slice(-2), ['SENT.null', 'DELIVERED.null'])
    assert.deepEqual(alone, [])
  })

  it('leave receipts to be stored alone if the store is unavailable', async () => {
    await using world = await openWorld()
    const all = await submitted(world, 1)
    const { queue, report, alone } = queueOver(world, [new StoreUnavailable('for a moment')])

    const stored = all.map(({ result }) => queue.add(result))
    await report(['c1'])
    await world.clock.advance(1000)
    await Promise.all(stored)

    assert.deepEqual(alone, ['c1'])
  })
})
