import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId, type AccountId } from '../../src/core/account.ts'
import { typeIds } from '../../src/core/id.ts'
import type { CarrierEvent } from '../../src/core/ports/carrier.ts'
import { EventsNotStored } from '../../src/core/ports/events-not-stored.ts'
import { type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import { shardNamed } from '../../src/core/shard.ts'
import { reportEvents } from '../../src/gateway/reports/report.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { openStore } from './support/stores.ts'

const [here, away] = [accountId('here'), accountId('away')]
const unavailable = new StoreUnavailable('connection refused', { isInPart: true })

const receipt = (carrierMessageId: string): CarrierEvent => ({
  kind: 'RECEIPT',
  carrierMessageId,
  outcome: { type: 'DELIVERED', detail: null },
})
const incoming = (from: string): CarrierEvent => ({
  kind: 'INCOMING',
  from,
  to: '12345',
  body: 'hello',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  repliesTo: null,
})

/** A store of two servers, of which that of the account `away` has stopped. `stored` are the transactions. */
async function halfAway(accountOf: (id: string) => AccountId | null) {
  const store = await openStore('memory')
  const stored: string[] = []
  const half: Store = {
    ...store,
    shardOf: (account) => shardNamed(account),
    routes: {
      remember: () => Promise.resolve(),
      accountOf: async (_, id) => {
        if (id.startsWith('lost')) throw unavailable
        return accountOf(id)
      },
    },
    transact: async (work, pace, shard) => {
      if (shard === shardNamed(away)) throw unavailable
      const result = await store.transact(work, pace)
      stored.push(String(shard))
      return result
    },
  }
  return { half, stored, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

function reporting(store: Store) {
  const clock = virtualClock()
  return reportEvents({ store, clock, newId: typeIds(clock, seededRandom(1)), wishOf: () => null })
}

describe('A report to a store of which one server is away', () => {
  it('stores what concerns the others, and names the rest', async () => {
    await using given = await halfAway((id) => (id.startsWith('a') ? away : here))
    const events = ['a1', 'h1', 'lost1', 'h2'].map(receipt)

    const error: unknown = await reporting(given.half)('c', events).catch(
      (thrown: unknown) => thrown,
    )

    assert.ok(error instanceof EventsNotStored && error.isInPart)
    assert.deepEqual([...error.events].toSorted(byId), [events[0], events[2]])
    assert.deepEqual(given.stored, ['here'])
  })

  it('fails as the server does when all concerns it', async () => {
    await using given = await halfAway(() => away)

    await assert.rejects(reporting(given.half)('c', [receipt('a1'), receipt('a2')]), unavailable)
  })

  it('stores each incoming message for itself if one of them concerns it', async () => {
    await using given = await halfAway(() => here)
    const { half } = given
    let attempts = 0
    const first: Store = {
      ...half,
      transact: (work, pace, shard) => {
        attempts += 1
        // All three together, and then the second of them.
        if (attempts === 1 || attempts === 3) return Promise.reject(unavailable)
        return half.transact(work, pace, shard)
      },
    }
    const events = ['+4915112345671', '+4915112345672', '+4915112345673'].map(incoming)

    const error: unknown = await reporting(first)('c', events).catch((thrown: unknown) => thrown)

    assert.ok(error instanceof EventsNotStored)
    assert.deepEqual([...error.events], [events[1]])
    assert.equal(given.stored.length, 2)
  })
})

function byId(one: CarrierEvent, other: CarrierEvent): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
