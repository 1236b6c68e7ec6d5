import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** What is counted is committed with what it counts, and many count at once. */
export function keepsTallies(open: OpenStore): void {
  const storeWith = async (...subjects: readonly string[]): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const subject of subjects) await tx.in(ours).setCounters(subject, ['SENT', 'FAILED'])
    })
    return store
  }
  const read = async (store: Store, account = ours) =>
    Object.fromEntries(
      await store.read(account, (reader) => reader.findCounters(account, ['t1', 't2'])),
    )

  describe('tallies', () => {
    it('count from 0, forwards and backwards', async () => {
      await using store = await storeWith('t1', 't2')

      await store.transact(async (tx) => {
        await tx.in(ours).addToCounter('t1', 'SENT', 3)
        await tx.in(ours).addToCounter('t1', 'SENT', -1)
        await tx.in(ours).addToCounter('t2', 'FAILED', 1)
      })
      await store.transact((tx) => tx.in(ours).addToCounter('t1', 'SENT', 5))

      assert.deepEqual(await read(store), {
        t1: { SENT: 7, FAILED: 0 },
        t2: { SENT: 0, FAILED: 1 },
      })
    })

    it('are seen by the transaction that counts', async () => {
      await using store = await storeWith('t1')

      const seen = await store.transact(async (tx) => {
        await tx.in(ours).addToCounter('t1', 'SENT', 2)
        const first = await tx.in(ours).findCounters(ours, ['t1'])
        await tx.in(ours).addToCounter('t1', 'SENT', 2)
        return [first.get('t1')?.['SENT'], (await tx.in(ours).findCounters(ours, [])).size]
      })

      assert.deepEqual(seen, [2, 0])
      assert.deepEqual(await read(store), { t1: { SENT: 4, FAILED: 0 } })
    })

    it('keep nothing of a transaction that fails', async () => {
      await using store = await storeWith('t1')

      const failed = store.transact(async (tx) => {
        await tx.in(ours).addToCounter('t1', 'SENT', 2)
        throw new Error('undone')
      })

      await assert.rejects(failed, /undone/)
      assert.deepEqual(await read(store), { t1: { SENT: 0, FAILED: 0 } })
    })

    it('count all that many transactions count at once', async () => {
      await using store = await storeWith('t1', 't2')

      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          store.transact(async (tx) => {
            const [first, second] = at % 2 === 0 ? ['t1', 't2'] : ['t2', 't1']
            await tx.in(ours).addToCounter(first ?? '', 'SENT', 1)
            await tx.in(ours).addToCounter(second ?? '', 'SENT', 1)
          }),
        ),
      )

      const counts = await read(store)
      assert.deepEqual([counts['t1']?.['SENT'], counts['t2']?.['SENT']], [50, 50])
    })

    it('count nothing that was not begun, or has ended, or is another account’s', async () => {
      await using store = await storeWith('t1', 't2')

      await store.transact(async (tx) => {
        await tx.in(ours).setCounters('t2', [])
        await tx.in(ours).addToCounter('t2', 'SENT', 1)
        await tx.in(ours).addToCounter('t1', 'LOST', 1)
        await tx.in(theirs).addToCounter('t1', 'SENT', 1)
        await tx.in(theirs).setCounters('t1', [])
      })

      assert.deepEqual(await read(store), { t1: { SENT: 0, FAILED: 0 } })
      assert.deepEqual(await read(store, theirs), {})
    })

    it('go with their account', async () => {
      await using store = await storeWith('t1')

      await store.transact((tx) => tx.erase(ours))

      assert.deepEqual(await read(store), {})
    })
  })
}
