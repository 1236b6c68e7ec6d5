import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CounterChange } from '../../src/core/ports/counters.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'
import { eraseAccount } from '../support/erase-account.ts'

/** What is counted is committed with what it counts, and many count at once, within bounds if asked. */
export function keepsCounters(open: OpenStore): void {
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

  describe('counters', () => {
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

    it('that are counted already stay as they are if they are begun again', async () => {
      await using store = await storeWith('t1')
      await store.transact((tx) => tx.in(ours).addToCounter('t1', 'SENT', 2))

      await store.transact((tx) => tx.in(ours).setCounters('t1', ['SENT', 'LOST']))

      assert.deepEqual(await read(store), { t1: { SENT: 2, FAILED: 0, LOST: 0 } })
    })

    it('go with their account', async () => {
      await using store = await storeWith('t1')

      await store.transact((tx) => eraseAccount(tx, ours))

      assert.deepEqual(await read(store), {})
    })
  })

  describe('a counter with bounds', () => {
    const bounds = { atLeast: 0, atMost: mostMicros }
    const add = (store: Store, by: number, account = ours): Promise<CounterChange | null> =>
      store.transact((tx) => tx.in(account).addToCounter('t1', 'SENT', by, bounds))
    const storeAt = async (count: number): Promise<Store> => {
      const store = await storeWith('t1')
      await store.transact((tx) => tx.in(ours).addToCounter('t1', 'SENT', count))
      return store
    }

    it('is not changed until it is begun', async () => {
      await using store = await storeAt(5)

      assert.equal(await add(store, -5, theirs), null)
      assert.deepEqual(await read(store, theirs), {})
    })

    it('is changed as far as they allow', async () => {
      await using store = await storeAt(10)

      assert.deepEqual(await add(store, -4), { count: 6, isAdded: true })
      assert.deepEqual(await add(store, -7), { count: 6, isAdded: false })
      assert.deepEqual(await add(store, mostMicros), { count: 6, isAdded: false })
      assert.deepEqual(await add(store, -6), { count: 0, isAdded: true })
      assert.deepEqual(await add(store, 0), { count: 0, isAdded: true })
    })

    it('is exact for the most credits that there can be', async () => {
      await using store = await storeAt(mostMicros - 1)

      assert.deepEqual(await add(store, 1), { count: mostMicros, isAdded: true })
      assert.deepEqual(await add(store, 1 - mostMicros), { count: 1, isAdded: true })
    })

    it('is seen by its transaction, and stays as it was where that is undone', async () => {
      await using store = await storeAt(10)

      const undone = store.transact(async (tx) => {
        await tx.in(ours).addToCounter('t1', 'SENT', -3, bounds)
        await tx.in(ours).addToCounter('t1', 'SENT', -1, bounds)
        const seen = await tx.in(ours).findCounters(ours, ['t1'])
        assert.deepEqual(seen.get('t1'), { SENT: 6, FAILED: 0 })
        throw new Error('undo')
      })

      await assert.rejects(undone, /undo/)
      assert.deepEqual(await read(store), { t1: { SENT: 10, FAILED: 0 } })
    })

    it('never leaves them, however many take of it at once', async () => {
      await using store = await storeAt(60)

      const changes = await Promise.all(Array.from({ length: 100 }, () => add(store, -1)))

      assert.equal(changes.filter((change) => change?.isAdded === true).length, 60)
      assert.equal(changes.filter((change) => change?.isAdded === false).length, 40)
      assert.deepEqual(await read(store), { t1: { SENT: 0, FAILED: 0 } })
    })

    it('is ended with what its transaction has taken of it', async () => {
      await using store = await storeAt(10)

      await store.transact(async (tx) => {
        await tx.in(ours).addToCounter('t1', 'SENT', -10, bounds)
        await tx.in(ours).setCounters('t1', [])
      })

      assert.deepEqual(await read(store), {})
    })
  })
}

/** As many millionths of a credit as an account can have. */
const mostMicros = 1_000_000_000_000_000
