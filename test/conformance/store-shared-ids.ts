import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AccountId } from '../../src/core/account.ts'
import type { LeasedConsumer } from '../../src/core/ports/consumers.ts'
import type { MaybePromise } from '../../src/core/maybe-promise.ts'
import type { Store, Transaction, Writer } from '../../src/core/ports/store.ts'
import { cellOf } from '../../src/stores/cell.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { leaseConsumers } from '../support/lease-consumers.ts'
import { fourAccounts, ours, theirs } from './sample-accounts.ts'
import {
  aPiece,
  aThing,
  messages,
  pieces,
  sampleCollections,
  things,
  webhooks,
} from './sample-collections.ts'
import { aNotification, everything } from './sample-notifications.ts'
import type { OpenStore } from './store.ts'
import { eraseAccount } from '../support/erase-account.ts'

const others = fourAccounts.filter((account) => account !== ours)
const elsewhere = { lane: 'elsewhere', priority: 2 }
const bounds = { atLeast: 0, atMost: 100 }

/** When a claim made at the beginning ends. */
const claimEndsAt = 50

/** When the leases made at the beginning end. */
const leasesEndAt = 100

/** What happens to one account, and must not happen to others that have the same identifiers. */
const writes: Readonly<Record<string, (world: World) => MaybePromise<unknown>>> = {
  'finish a submission': ({ tx }) => tx.submissions.settle(claimed, { kind: 'FINISHED' }),
  'postpone a submission': ({ tx }) =>
    tx.submissions.settle(claimed, { kind: 'POSTPONED', dueAt: 20 }),
  'postpone a submission to another place': ({ tx }) =>
    tx.submissions.settle(claimed, { kind: 'POSTPONED', dueAt: 20, queue: elsewhere }),
  'extend a claim': ({ tx }) => tx.submissions.settle(claimed, { kind: 'EXTENDED', dueAt: 90 }),
  'dequeue a message': ({ writer }) => writer.dequeue('waiting'),
  'enqueue a message again': ({ writer }) => writer.enqueue('waiting', 20, elsewhere),
  'remove a claimed message': ({ writer }) => writer.remove(messages, { id: 'claimed' }),
  'settle a receipt': ({ tx }) =>
    tx.receipts.settle(
      { account: ours, carrier: 'carrier', carrierMessageId: 'ours' },
      { type: 'FAILED', detail: null },
    ),
  'expect another receipt': ({ tx }) => tx.receipts.expect(aPart(ours, 'another', 2), 50),
  'append to the log': ({ writer }) => writer.notify(aNotification('another')),
  'count within bounds': ({ writer }) => writer.addToCounter('subject', 'FAILED', 5, bounds),
  'count a counter': ({ writer }) => writer.addToCounter('subject', 'SENT', 3),
  'begin another counter': ({ writer }) => writer.setCounters('subject', ['LOST']),
  'end a counter': ({ writer }) => writer.setCounters('subject', []),
  'put a consumer': ({ tx }) => tx.consumers.put(ours, 'webhook', '{"new":1}'),
  'lease a consumer': async ({ tx, consumer }) => {
    await tx.consumers.release([consumer])
    await leaseConsumers(tx, 'other', 1, leasesEndAt + 100)
  },
  'advance a consumer': async ({ tx, consumer, store }) =>
    tx.consumers.advance({
      ...consumer,
      position: await store.log.end(ours),
      progress: '{"on":1}',
    }),
  'release a consumer': ({ tx, consumer }) => tx.consumers.release([consumer]),
  'remove a consumer': ({ writer }) => writer.remove(webhooks, { id: 'webhook' }),
  'add a dead letter': async ({ tx, store, consumer }) => {
    const [, second = assert.fail()] = await store.log.read(ours, null, everything, 9)
    await tx.consumers.advance(consumer, { added: [second] })
  },
  'remove a dead letter': ({ tx, consumer, deadLetter }) =>
    tx.consumers.advance(consumer, { removed: [deadLetter] }),
  'save an instance': ({ writer }) =>
    writer.save(things, { id: 'thing' }, aThing('thing', { name: 'changed' }), null),
  'save a nested instance': ({ writer }) =>
    writer.save(pieces, { id: 'piece', parent: 'thing' }, aPiece('piece', { rank: 9 }), null),
  'remove a nested instance': ({ writer }) =>
    writer.remove(pieces, { id: 'piece', parent: 'thing' }),
  'remove an instance with what is nested in it': ({ writer }) =>
    writer.remove(things, { id: 'thing' }),
  'erase the account': ({ tx }) => eraseAccount(tx, ours),
}

/** What a write is given. */
interface World {
  readonly store: Store
  readonly tx: Transaction
  readonly writer: Writer
  /** The leased consumer of our account. */
  readonly consumer: LeasedConsumer
  /** The position that was set aside for it. */
  readonly deadLetter: LeasedConsumer['position']
}

const claimed = { account: ours, messageId: 'claimed', attempt: 0 }

/** Accounts that choose the same identifiers never touch each other. */
export function keepsSharedIdsApart(open: OpenStore): void {
  describe('accounts with the same identifiers', () => {
    it('are in one cell, which else would separate them', () => {
      assert.equal(cellOf(theirs), cellOf(ours))
    })

    for (const [name, write] of Object.entries(writes)) {
      it(`stay as they are when one of them is to ${name}`, async () => {
        await using store = await open(sampleCollections)
        const { consumer, deadLetter } = await fill(store)
        const before = await stateOf(store)

        await store.transact(async (tx) => {
          await write({ store, tx, writer: tx.in(ours), consumer, deadLetter })
        })

        const after = await stateOf(store)
        for (const account of others) assert.deepEqual(after[account], before[account])
        assert.notDeepEqual(after[ours], before[ours])
      })
    }
  })

  describe('nested instances with the same identifier', () => {
    it('are distinct under each parent, after each has changed too', async () => {
      await using store = await open(sampleCollections)
      const keyOf = (parent: string) => ({ id: 'p1', parent })
      const save = (parent: string, rank: number) =>
        store.transact((tx) =>
          tx.in(ours).save(pieces, keyOf(parent), aPiece('p1', { rank }), null),
        )
      const ranks = (parent: string) =>
        Promise.all([
          store.read(ours, (reader) => reader.find(pieces, keyOf(parent))),
          store.transact((tx) => tx.in(ours).find(pieces, keyOf(parent))),
        ]).then((found) => found.map((one) => (one === null ? null : JSON.parse(one.doc).rank)))
      for (const parent of ['t1', 't2']) {
        await store.transact((tx) => tx.in(ours).save(things, { id: parent }, aThing(parent), null))
      }

      assert.deepEqual(await ranks('t2'), [null, null])
      await save('t1', 1)
      assert.deepEqual(
        [await ranks('t1'), await ranks('t2')],
        [
          [1, 1],
          [null, null],
        ],
      )
      await save('t2', 2)
      assert.deepEqual(
        [await ranks('t1'), await ranks('t2')],
        [
          [1, 1],
          [2, 2],
        ],
      )
      await save('t1', 3)
      assert.deepEqual(
        [await ranks('t2'), await ranks('t1')],
        [
          [2, 2],
          [3, 3],
        ],
      )
      await store.transact((tx) => tx.in(ours).remove(pieces, keyOf('t1')))
      assert.deepEqual(
        [await ranks('t1'), await ranks('t2')],
        [
          [null, null],
          [2, 2],
        ],
      )
    })

    it('are distinct within the transaction that writes them', async () => {
      await using store = await open(sampleCollections)

      const found = await store.transact(async (tx) => {
        const writer = tx.in(ours)
        for (const [rank, parent] of ['t1', 't2'].entries()) {
          await writer.save(things, { id: parent }, aThing(parent), null)
          await writer.save(pieces, { id: 'p1', parent }, aPiece('p1', { rank }), null)
        }
        await writer.save(pieces, { id: 'p1', parent: 't1' }, aPiece('p1', { rank: 7 }), null)
        const one = await writer.find(pieces, { id: 'p1', parent: 't1' })
        const other = await writer.find(pieces, { id: 'p1', parent: 't2' })
        return [one, other].map((piece) => JSON.parse(piece?.doc ?? 'null').rank)
      })

      assert.deepEqual(found, [7, 1])
    })
  })
}

/** Gives each account one of everything, under the same identifiers. */
async function fill(store: Store): Promise<Pick<World, 'consumer' | 'deadLetter'>> {
  for (const account of fourAccounts) {
    await store.routes?.remember([{ ...aPart(account, account, 1), expiresAt: 50 }])
    await store.transact(async (tx) => {
      const writer = tx.in(account)
      await writer.save(things, { id: 'thing' }, aThing('thing'), null)
      await writer.save(pieces, { id: 'piece', parent: 'thing' }, aPiece('piece'), null)
      await writer.enqueue('claimed', 0)
      await writer.setCounters('subject', ['SENT', 'FAILED'])
      await writer.addToCounter('subject', 'FAILED', 1)
      await tx.receipts.expect(aPart(account, account, 1), 50)
      await tx.consumers.put(account, 'webhook', '{}')
    })
  }
  await store.transact((tx) => tx.submissions.claim(0, claimEndsAt, 9))
  for (const account of fourAccounts) {
    await store.transact(async (tx) => {
      await tx.in(account).enqueue('waiting', 10)
      for (const id of ['one', 'two']) await tx.in(account).notify(aNotification(id))
    })
  }
  const leased = await store.transact((tx) => leaseConsumers(tx, 'node', 0, leasesEndAt))
  for (const one of leased) {
    const added = await store.log.read(one.account, null, everything, 1)
    await store.transact((tx) => tx.consumers.advance(one, { added }))
  }
  const [first = assert.fail()] = await store.log.read(ours, null, everything, 1)
  const consumer = leased.find(({ account }) => account === ours) ?? assert.fail()
  return { consumer, deadLetter: first.position }
}

function aPart(account: AccountId, carrierMessageId: string, part: number) {
  const messageId = 'claimed'
  return { account, messageId, part, carrier: 'carrier', carrierMessageId, outcome: null }
}

/** Everything that the store has of each account. What can only be asked by changing it is undone. */
async function stateOf(store: Store): Promise<Readonly<Record<string, unknown>>> {
  const free = [await freeConsumers(store, 1), await freeConsumers(store, leasesEndAt + 1)]
  const due = await claimable(store)
  const stored = await undone(store, async (tx) => {
    const found = []
    for (const account of fourAccounts) found.push([account, await storedOf(tx, account)] as const)
    return new Map(found)
  })
  const states = fourAccounts.map(async (account) => ({
    ...(await logOf(store, account)),
    ...stored.get(account),
    freeAt: free.map((leased) => leased.filter((one) => one.account === account)),
    submissions: due.map((claims) => claims.filter((one) => one.account === account)),
  }))
  const all = await Promise.all(states)
  return Object.fromEntries(fourAccounts.map((account, at) => [account, all[at]]))
}

async function logOf(store: Store, account: AccountId) {
  const end = await store.log.end(account)
  const sought = { ...everything, from: 0, until: null, messageIds: null, deadLettersOf: 'webhook' }
  return {
    log: await store.log.read(account, null, everything, 9),
    logged: await store.log.count(account, null, everything),
    deadLetter: (await store.log.search({ account, after: null, end }, sought, 9)).entries,
  }
}

async function storedOf(tx: Transaction, account: AccountId) {
  const writer = tx.in(account)
  return {
    thing: await writer.find(things, { id: 'thing' }),
    piece: await writer.find(pieces, { id: 'piece', parent: 'thing' }),
    counters: [...(await writer.findCounters(account, ['subject']))],
    parts: await tx.receipts.parts(account, 'claimed'),
    consumer: await tx.everywhere.findConsumer(account, 'webhook'),
  }
}

/** The consumers that could be leased. */
async function freeConsumers(store: Store, now: number) {
  const leased = await undone(store, (tx) => leaseConsumers(tx, 'probe', now, now + 1))
  return leased.map(({ account, webhookId }) => ({ account, webhookId }))
}

/** What could be claimed of each queue at some times, from soon to after all claims. */
async function claimable(store: Store) {
  const claims = []
  for (const place of [defaultQueueKey, elsewhere]) {
    for (const now of [0, 15, 30, claimEndsAt, 99]) {
      claims.push(await undone(store, (tx) => tx.submissions.claim(now, now + 1, 99, place)))
    }
  }
  return claims
}

/** Runs a work in a transaction that is undone, and returns what it found. */
async function undone<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let found: { readonly result: T } | null = null
  const undo = new Error('undone')
  await assert.rejects(
    store.transact(async (tx) => {
      found = { result: await work(tx) }
      throw undo
    }),
    (error) => error === undo,
  )
  return (found as { readonly result: T } | null)?.result ?? assert.fail()
}
