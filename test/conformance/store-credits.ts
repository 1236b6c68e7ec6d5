import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type { CreditMove } from '../../src/core/ports/credits.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** Credits are counted for the accounts that ask for it, and never fall below none. */
export function countsCredits(open: OpenStore): void {
  const storeWith = async (micros: number): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      await tx.in(ours).countCredits(true)
      await tx.in(ours).moveCredits(micros)
    })
    return store
  }
  const move = (store: Store, micros: number, account = ours): Promise<CreditMove> =>
    store.transact((tx) => tx.in(account).moveCredits(micros))
  const left = (store: Store, account = ours): Promise<number | null> =>
    store.read(defaultAccount, (reader) => reader.findCredits(account))

  describe('credits', () => {
    it('are not counted until an account asks for it', async () => {
      await using store = await open(sampleCollections)

      assert.deepEqual(await move(store, -5), { kind: 'UNCOUNTED' })
      assert.equal(await left(store), null)
    })

    it('are counted from none on; again changes nothing', async () => {
      await using store = await storeWith(7)

      await store.transact((tx) => tx.in(ours).countCredits(true))

      assert.equal(await left(store), 7)
      assert.equal(await left(store, theirs), null)
    })

    it('are moved as far as there are any', async () => {
      await using store = await storeWith(10)

      assert.deepEqual(await move(store, -4), { kind: 'MOVED', balance: 6 })
      assert.deepEqual(await move(store, -7), { kind: 'SHORT', balance: 6 })
      assert.deepEqual(await move(store, -6), { kind: 'MOVED', balance: 0 })
      assert.deepEqual(await move(store, 0), { kind: 'MOVED', balance: 0 })
    })

    it('are exact for the most that there can be', async () => {
      await using store = await storeWith(999_999_999_999_999)

      assert.deepEqual(await move(store, 1), { kind: 'MOVED', balance: 1_000_000_000_000_000 })
      assert.deepEqual(await move(store, -999_999_999_999_999), { kind: 'MOVED', balance: 1 })
    })

    it('stay as they were where the transaction is undone', async () => {
      await using store = await storeWith(10)

      const undone = store.transact(async (tx) => {
        await tx.in(ours).moveCredits(-3)
        assert.equal(await tx.in(ours).findCredits(ours), 7)
        throw new Error('undo')
      })

      await assert.rejects(undone, /undo/)
      assert.equal(await left(store), 10)
    })

    it('never fall below none, however many take of them at once', async () => {
      await using store = await storeWith(60)

      const moves = await Promise.all(Array.from({ length: 100 }, () => move(store, -1)))

      assert.equal(moves.filter(({ kind }) => kind === 'MOVED').length, 60)
      assert.equal(moves.filter(({ kind }) => kind === 'SHORT').length, 40)
      assert.equal(await left(store), 0)
    })

    it('are counted no more once that is ended, or the account is erased', async () => {
      await using store = await storeWith(10)
      await store.transact((tx) => tx.in(theirs).countCredits(true))

      await store.transact((tx) => tx.in(ours).countCredits(false))
      await store.transact((tx) => tx.erase(theirs))

      assert.deepEqual([await left(store), await left(store, theirs)], [null, null])
    })
  })
}
