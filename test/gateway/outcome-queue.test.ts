import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { type InstanceKey, type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import { returns } from '../../src/gateway/credits/credits.ts'
import { takeDue, type PendingSubmit } from '../../src/gateway/submission/due.ts'
import { outcomeQueue } from '../../src/gateway/submission/outcome-queue.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const carrier = 'carrier_simulator'
const receipt = {
  carrier,
  carrierMessageId: 'c1',
  outcome: { type: 'DELIVERED', detail: null },
} as const

/** A message that is claimed, and was taken by its carrier as c1. */
async function handedOver(world: World, carrierMessageId = 'c1') {
  const { store, clock, newId } = world
  await world.post(aMessage())
  const now = clock.now()
  const [handOver] = await store.transact(
    async (transaction): Promise<readonly PendingSubmit[]> => {
      const place = { lane: carrier, priority: 1 }
      const due = await transaction.submissions.claim(now, now + 60_000, 9, place)
      const claims = due.map((submission) => ({ submission, aim: 'HAND_OVER' as const }))
      const given = { now, dueNow: now, resubmit: true, wayFor: () => null }
      return takeDue(transaction, claims, { ...given, returns: returns(transaction, newId) })
    },
  )
  assert.ok(handOver)
  const outcome = { kind: 'SUBMITTED', carrierMessageIds: [carrierMessageId] } as const
  return { handOver, carrier, outcome }
}

/** The queue over a store of which each transaction can fail before it begins. */
function queueOver(
  world: World,
  refusals: Error[],
  gatherMs = 0,
  wrapped = (store: Store): Store => store,
) {
  const { clock, newId } = world
  const store = wrapped(world.store)
  const counted = { transactions: 0 }
  const failing: Store = {
    ...store,
    transact: async (work) => {
      counted.transactions += 1
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
      return store.transact(work)
    },
  }
  const { signal } = new AbortController()
  const log = (): void => {}
  const options = {
    store: failing,
    clock,
    newId,
    log,
    onExpected: () => {},
    signal,
    gatherMs,
  }
  return { queue: outcomeQueue(options), counted }
}

describe('a receipt that comes while the outcome of its message is being written', () => {
  it('is written with it: the message is saved once, and tells of both', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue, counted } = queueOver(world, [])

    const written = queue.add(given)
    const joined = queue.join(receipt)
    await written

    const { id } = given.handOver.kept.message
    assert.equal(await joined, true)
    assert.equal(counted.transactions, 1)
    assert.equal((await world.message(id))?.status.id, 'DELIVERED.null')
    assert.deepEqual((await world.told(id)).slice(-2), ['SENT.null', 'DELIVERED.null'])
    assert.deepEqual(
      await world.store.transact(({ receipts }) => receipts.pending(carrier, null, 9)),
      [],
    )
  })

  it('is written with it although it comes a moment later', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue, counted } = queueOver(world, [], 5)

    const written = queue.add(given)
    await world.clock.advance(4)
    const joined = queue.join(receipt)
    const before = counted.transactions
    await world.clock.advance(1)
    await written

    assert.equal(await joined, true)
    assert.deepEqual([before, counted.transactions], [0, 1])
  })

  it('is not waited for where somebody waits for the outcome', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue } = queueOver(world, [], 5)

    queue.press(true)
    await queue.add(given)

    assert.equal(queue.join(receipt), null)
  })

  it('is not waited for any longer when the outcome is wanted at once', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue } = queueOver(world, [], 5)

    const written = queue.add(given)
    queue.press(true)
    await written

    assert.equal(queue.join(receipt), null)
  })

  it('waits with it for a store that cannot be written', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue } = queueOver(world, [new StoreUnavailable('for a moment')])

    void queue.add(given)
    const joined = queue.join(receipt)
    await world.clock.advance(1000)

    assert.equal(await joined, true)
    const { id } = given.handOver.kept.message
    assert.equal((await world.message(id, defaultAccount))?.status.id, 'DELIVERED.null')
  })

  it('is told where that could not be written, and goes its own way', async () => {
    await using world = await openWorld()
    const given = await handedOver(world)
    const { queue } = queueOver(world, [new Error('a fault')])

    void queue.add(given)
    const joined = queue.join(receipt)

    assert.equal(await joined, false)
    assert.equal(queue.join(receipt), null)
  })
})

describe('outcomes that are written together', () => {
  it('are written although one of them cannot be', async () => {
    await using world = await openWorld()
    const all = []
    for (let count = 0; count < 100; count += 1) {
      all.push(await handedOver(world, `c${count}`))
    }
    const bad = all[41]?.handOver.kept.message.id
    const ids = all.map(({ handOver }) => handOver.kept.message.id)
    const isBad = (key: InstanceKey): boolean => key.id === bad
    const queue = queueOver(world, [], 0, faultyFor(isBad)).queue

    await Promise.all(all.map((given) => queue.add(given)))

    const statuses = await Promise.all(ids.map(async (id) => (await world.message(id))?.status.id))
    assert.deepEqual(
      ids.filter((_, index) => statuses[index] !== 'SENT.null'),
      [bad],
    )
  })

  it('end with whether they were written, each of its own', async () => {
    await using world = await openWorld()
    const [good, bad] = [await handedOver(world, 'c1'), await handedOver(world, 'c2')]
    const isBad = (key: InstanceKey): boolean => key.id === bad.handOver.kept.message.id
    const { queue } = queueOver(world, [], 0, faultyFor(isBad))

    void queue.add(good)
    void queue.add(bad)
    const joined = ['c1', 'c2'].map((carrierMessageId) =>
      queue.join({ ...receipt, carrierMessageId }),
    )

    assert.deepEqual(await Promise.all(joined), [true, false])
  })
})

/** A store in which these messages cannot be looked up: what is to be written of them is a fault. */
function faultyFor(isBad: (key: InstanceKey) => boolean) {
  return (store: Store): Store => ({
    ...store,
    transact: (work, mode) =>
      store.transact((tx) => {
        const inAccount: typeof tx.in = (account) => {
          const writer = tx.in(account)
          const find: typeof writer.find = (collection, key) => {
            if (isBad(key)) throw new Error('a fault')
            return writer.find(collection, key)
          }
          return replacing(writer, { find })
        }
        return work(replacing(tx, { in: inAccount }))
      }, mode),
  })
}

/** The same with some of its methods replaced. */
function replacing<T extends object>(whole: T, replaced: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(Object.hasOwn(replaced, name) ? replaced : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
