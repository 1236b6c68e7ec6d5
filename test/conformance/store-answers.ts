import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ours, theirs } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

const kept = { fingerprint: 'f', answer: '{"status":201}' }

/** An answer is kept for as long as its idempotency key lives. */
export function keepsAnswers(open: OpenStore): void {
  describe('answers under idempotency keys', () => {
    it('finds an answer until its time is over', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).storeIdempotentResponse('k1', 'a', kept, 10))
      const find = (now: number) =>
        store.transact((tx) => tx.in(ours).findIdempotentResponse('k1', 'a', now))

      assert.deepEqual(await find(9), kept)
      assert.equal(await find(10), null)
    })

    it('tells accounts, owners and keys apart', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).storeIdempotentResponse('k1', 'a', kept, 10))

      await store.transact(async (tx) => {
        assert.equal(await tx.in(theirs).findIdempotentResponse('k1', 'a', 0), null)
        assert.equal(await tx.in(ours).findIdempotentResponse('k2', 'a', 0), null)
        assert.equal(await tx.in(ours).findIdempotentResponse('k1', 'b', 0), null)
      })
    })

    it('keeps another answer when the time of the first is over', async () => {
      await using store = await open(sampleCollections)
      const other = { fingerprint: 'g', answer: 'other' }
      await store.transact((tx) => tx.in(ours).storeIdempotentResponse('k1', 'a', kept, 10))

      await store.transact((tx) => tx.in(ours).storeIdempotentResponse('k1', 'a', other, 30))

      const found = await store.transact((tx) => tx.in(ours).findIdempotentResponse('k1', 'a', 20))
      assert.deepEqual(found, other)
    })

    it('keeps what lives on while others run out', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        for (let index = 0; index < 20; index += 1) {
          await tx.in(ours).storeIdempotentResponse('k1', `old ${index}`, kept, 10)
        }
        await tx.in(ours).storeIdempotentResponse('k1', 'new', kept, 100)
      })

      await store.transact(async (tx) => {
        for (let index = 0; index < 20; index += 1) {
          assert.equal(await tx.in(ours).findIdempotentResponse('k1', `old ${index}`, 50), null)
        }
        assert.deepEqual(await tx.in(ours).findIdempotentResponse('k1', 'new', 50), kept)
      })
    })
  })
}
