import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AccountId } from '../../src/core/account.ts'
import type {
  ExpectedReceipt,
  OverdueParts,
  PartOutcome,
  ReceiptOutcome,
  Receipts,
  UnmatchedReceipt,
} from '../../src/core/ports/receipts.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { messages, sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const failed: PartOutcome = { type: 'FAILED', detail: 'EXPIRED' }

/** No receipt is lost, and none comes too early. */
export function correlatesReceipts(open: OpenStore): void {
  const storeWith = async (...parts: readonly [ExpectedReceipt, number][]): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.routes?.remember(parts.map(([part, expiresAt]) => ({ ...part, expiresAt })))
    await store.transact(async (tx) => {
      for (const [part, expiresAt] of parts) await tx.receipts.expect(part, expiresAt)
    })
    return store
  }

  describe('receipts', () => {
    it('finds a part by the identifier of its carrier', async () => {
      await using store = await storeWith([aPart('x1'), 10])

      assert.deepEqual(await match(store, aReceipt('x1')), aPart('x1'))
      assert.equal(await match(store, aReceipt('x2')), 'UNMATCHED')
      assert.equal(await match(store, { ...aReceipt('x1'), carrier: 'd' }), 'UNMATCHED')
    })

    it('finds a part in its account alone if that is known', async () => {
      await using store = await storeWith([aPart('x1'), 10])

      assert.deepEqual(await match(store, aReceipt('x1'), ours), aPart('x1'))
      assert.equal(await match(store, aReceipt('x1'), theirs), 'UNMATCHED')
    })

    it('keeps the outcome of a part', async () => {
      await using store = await storeWith([aPart('x1'), 10])

      await within(store, (receipts) => receipts.settle(aPart('x1'), failed))
      await within(store, (receipts) => receipts.settle(aPart('unknown'), failed))

      assert.deepEqual(await match(store, aReceipt('x1')), { ...aPart('x1'), outcome: failed })
    })

    it('gives an identifier that a carrier uses again to the newer part', async () => {
      await using store = await storeWith([aPart('x1'), 10])
      await within(store, (receipts) => receipts.settle(aPart('x1'), delivered))
      const newer = aPart('x1', { messageId: 'm2' })

      await within(store, (receipts) => receipts.expect(newer, 20))

      assert.deepEqual(await match(store, aReceipt('x1')), newer)
      assert.deepEqual(await within(store, (receipts) => receipts.parts(ours, 'm1')), [])
    })

    it('has all parts of a message in their order', async () => {
      const parts = [aPart('x9', { part: 1 }), aPart('x3', { part: 2 }), aPart('x5', { part: 10 })]
      await using store = await storeWith(
        [aPart('y', { messageId: 'm2' }), 10],
        ...parts.toReversed().map((part): [ExpectedReceipt, number] => [part, 10]),
      )

      assert.deepEqual(await within(store, (receipts) => receipts.parts(ours, 'm1')), parts)
    })

    it('forgets the parts of a message', async () => {
      const other = aPart('y', { messageId: 'm2' })
      await using store = await storeWith([aPart('x1'), 10], [other, 10])

      await store.transact((tx) => tx.in(ours).remove(messages, { id: 'm1' }))

      assert.equal(await match(store, aReceipt('x1')), 'UNMATCHED')
      assert.deepEqual(await match(store, aReceipt('y')), other)
    })

    it('keeps receipts that came early until their part is expected, once, in their order', async () => {
      await using store = await storeWith()
      const early = (carrierMessageId: string, outcome: ReceiptOutcome, receivedAt: number) => ({
        carrier: 'c',
        carrierMessageId,
        outcome,
        code: outcome.type === 'FAILED' ? '011' : null,
        receivedAt,
      })
      for (const receipt of [
        early('x1', { type: 'UNKNOWN', detail: 'z' }, 3),
        early('x1', { type: 'SENT', detail: 'ENROUTE' }, 4),
        early('x2', failed, 1),
        early('x1', delivered, 2),
      ]) {
        await match(store, receipt)
      }

      const expect = (id: string) => within(store, (receipts) => receipts.expect(aPart(id), 10))
      const taken = await expect('x1')
      const again = await expect('x1')

      assert.deepEqual(taken, [
        early('x1', { type: 'UNKNOWN', detail: 'z' }, 3),
        early('x1', { type: 'SENT', detail: 'ENROUTE' }, 4),
        early('x1', delivered, 2),
      ])
      assert.deepEqual(again, [])
      assert.equal((await expect('x2')).length, 1)
    })

    it('lists the parts whose time is over without an outcome, the oldest first', async () => {
      await using store = await storeWith(
        [aPart('x1'), 30],
        [aPart('x2'), 10],
        [aPart('x3'), 20],
        [aPart('x4'), 31],
      )
      const overdue = (now: number, limit: number) =>
        within(store, async (receipts) => {
          const { parts, nextAt } = await receipts.overdue(now, limit)
          return [ids(parts), nextAt]
        })

      assert.deepEqual(await overdue(9, 10), [[], 10])
      assert.deepEqual(await overdue(30, 2), [['x2', 'x3'], 30])
      await within(store, (receipts) => receipts.settle(aPart('x2'), delivered))
      assert.deepEqual(await overdue(30, 10), [['x3', 'x1'], 31])
      for (const id of ['x1', 'x3', 'x4']) {
        await within(store, (receipts) => receipts.settle(aPart(id), delivered))
      }
      assert.deepEqual(await overdue(99, 10), [[], null])
    })

    it('gives an overdue part the receipts that came early', async () => {
      await using store = await storeWith([aPart('x1'), 10], [aPart('x2'), 20])
      // Of another account that the carrier gave the same identifier.
      await match(store, aReceipt('x1'), theirs)
      const overdue = (now: number) => within(store, (receipts) => receipts.overdue(now, 10))

      const first = await overdue(20)
      const second = await overdue(20)

      const earlyOf = ({ parts }: OverdueParts) => parts.map((part) => part.early)
      assert.deepEqual(earlyOf(first), [[aReceipt('x1')], []])
      assert.deepEqual(earlyOf(second), [[], []])
    })

    it('lists the parts at a carrier that have no outcome, a page at a time', async () => {
      await using store = await storeWith(
        [aPart('x3'), 10],
        [aPart('x1'), 20],
        [aPart('x2'), 30],
        [aPart('x9', { outcome: delivered }), 30],
        [aPart('x0', { carrier: 'd' }), 30],
      )
      const pending = (after: string | null, limit: number) =>
        within(store, async (receipts) => ids(await receipts.pending('c', after, limit)))

      assert.deepEqual(await pending(null, 2), ['x1', 'x2'])
      assert.deepEqual(await pending('x2', 2), ['x3'])
      assert.deepEqual(await pending('x3', 2), [])
    })

    it('keeps the same receipt once', async () => {
      await using store = await storeWith()
      const keep = (outcome: ReceiptOutcome, id = 'e') => match(store, { ...aReceipt(id), outcome })

      const kept = [await keep(delivered), await keep({ type: 'SENT', detail: 'a' })]
      const again = [await keep(delivered), await keep({ type: 'SENT', detail: 'a' })]
      const others = [await keep({ type: 'SENT', detail: 'b' }), await keep(delivered, 'f')]

      assert.deepEqual(
        [kept, again, others],
        [
          ['UNMATCHED', 'UNMATCHED'],
          ['REPEATED', 'REPEATED'],
          ['UNMATCHED', 'UNMATCHED'],
        ],
      )
      assert.equal((await within(store, (receipts) => receipts.expect(aPart('e'), 10))).length, 3)
    })

    it('forgets what is old, a slice at a time', async () => {
      await using store = await storeWith(
        [aPart('x1', { outcome: failed }), 10],
        [aPart('x2', { outcome: delivered }), 20],
        [aPart('x3', { outcome: delivered }), 30],
        [aPart('x4'), 10],
      )
      await match(store, { ...aReceipt('e'), receivedAt: 10 })
      await match(store, { ...aReceipt('e'), outcome: failed, receivedAt: 30 })
      const unmatched = (limit: number) => within(store, (receipts) => receipts.unmatched(limit))
      assert.deepEqual([await unmatched(9), await unmatched(1)], [2, 1])
      const isMore = async (limit: number) => (await store.maintain(30, limit)).isMore

      assert.equal(await isMore(1), true)
      assert.equal(await unmatched(9), 1)
      assert.equal(await isMore(1), true)
      assert.equal(await isMore(1), false)
      const left = await within(store, (receipts) => receipts.parts(ours, 'm1'))
      assert.deepEqual(ids(left), ['x3', 'x4'])
      assert.equal((await within(store, (receipts) => receipts.expect(aPart('e'), 10))).length, 1)
    })
  })
}

function aPart(carrierMessageId: string, parts: Partial<ExpectedReceipt> = {}): ExpectedReceipt {
  return {
    account: ours,
    messageId: 'm1',
    part: 1,
    carrier: 'c',
    carrierMessageId,
    outcome: null,
    ...parts,
  }
}

function aReceipt(carrierMessageId: string): UnmatchedReceipt {
  return { carrier: 'c', carrierMessageId, outcome: delivered, code: null, receivedAt: 5 }
}

function match(store: Store, receipt: UnmatchedReceipt, account: AccountId | null = null) {
  return within(store, (receipts) => receipts.match(receipt, account))
}

function within<T>(store: Store, work: (receipts: Receipts) => Promise<T>): Promise<T> {
  return store.transact((tx) => work(tx.receipts))
}

function ids(parts: readonly ExpectedReceipt[]): readonly string[] {
  return parts.map(({ carrierMessageId }) => carrierMessageId)
}
