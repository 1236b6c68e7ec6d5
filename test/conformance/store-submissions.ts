import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Store } from '../../src/core/store.ts'
import type { Submission } from '../../src/core/submissions.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

const ours = accountId('ours')

/** Each message is handed to one claimant at a time, and to another only when its time is over. */
export function queuesSubmissions(open: OpenStore): void {
  const storeWith = async (due: Readonly<Record<string, number>>): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const [message, dueAt] of Object.entries(due)) {
        await tx.in(ours).submit(message, dueAt)
      }
    })
    return store
  }

  describe('submissions', () => {
    it('hands out what is due, the longest due first, up to the limit', async () => {
      await using store = await storeWith({ m1: 30, m2: 10, m3: 20, m4: 31 })

      assert.deepEqual(names(await claim(store, 30, 99, 2)), ['m2', 'm3'])
      assert.deepEqual(names(await claim(store, 30, 99, 2)), ['m1'])
      assert.deepEqual(names(await claim(store, 30, 99, 2)), [])
    })

    it('hands a message out again when its time is over, as uncertain', async () => {
      await using store = await storeWith({ m1: 10 })

      const [first] = await claim(store, 10, 50)
      const [tooEarly] = await claim(store, 49, 90)
      const [second] = await claim(store, 50, 90)

      assert.deepEqual(first, { account: ours, messageId: 'm1', attempt: 0, uncertain: false })
      assert.equal(tooEarly, undefined)
      assert.deepEqual(second, { account: ours, messageId: 'm1', attempt: 1, uncertain: true })
    })

    it('hands a postponed message out again as certain, and counts on', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)

      await postpone(store, { attempt: 0, dueAt: 20 })

      const [again] = await claim(store, 20, 50)
      assert.deepEqual(again, { account: ours, messageId: 'm1', attempt: 1, uncertain: false })
    })

    it('postpones nothing that was claimed again since', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)
      await claim(store, 50, 90)

      await postpone(store, { attempt: 0, dueAt: 60 })

      assert.deepEqual(await claim(store, 60, 99), [])
      assert.deepEqual(names(await claim(store, 90, 99)), ['m1'])
    })

    it('is done with what is finished', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)

      await store.transact((tx) => tx.submissions.finish(ours, 'm1'))

      assert.deepEqual(await claim(store, 99, 100), [])
    })

    it('withdraws what nobody has', async () => {
      await using store = await storeWith({ m1: 10, m2: 10 })
      const withdraw = (message: string) => store.transact((tx) => tx.in(ours).withdraw(message))

      assert.equal(await withdraw('m1'), true)
      assert.equal(await withdraw('m1'), false)
      assert.deepEqual(names(await claim(store, 10, 50)), ['m2'])
      assert.equal(await withdraw('m2'), false)
      assert.deepEqual(names(await claim(store, 50, 90)), ['m2'])
    })

    it('does not withdraw what another account has', async () => {
      await using store = await storeWith({ m1: 10 })

      const other = await store.transact((tx) => tx.in(accountId('other')).withdraw('m1'))

      assert.equal(other, false)
      assert.deepEqual(names(await claim(store, 10, 50)), ['m1'])
    })

    it('changes the time of a message that is submitted again', async () => {
      await using store = await storeWith({ m1: 10 })

      await store.transact((tx) => tx.in(ours).submit('m1', 90))

      assert.deepEqual(await claim(store, 89, 100), [])
      assert.deepEqual(names(await claim(store, 90, 100)), ['m1'])
    })

    it('tells when the next is due', async () => {
      await using store = await storeWith({ m1: 30, m2: 20 })
      const next = () => store.transact((tx) => tx.submissions.nextDueAt())

      assert.equal(await next(), 20)
      await claim(store, 20, 100)
      assert.equal(await next(), 30)
      await store.transact(async (tx) => {
        await tx.submissions.finish(ours, 'm1')
        await tx.submissions.finish(ours, 'm2')
      })
      assert.equal(await next(), null)
    })
  })
}

function claim(
  store: Store,
  now: number,
  until: number,
  limit = 100,
): Promise<readonly Submission[]> {
  return store.transact((tx) => tx.submissions.claim(now, until, limit))
}

function postpone(
  store: Store,
  { attempt, dueAt }: { readonly attempt: number; readonly dueAt: number },
): Promise<void> {
  const claimed = { account: ours, messageId: 'm1', attempt }
  return store.transact((tx) => tx.submissions.postpone(claimed, dueAt))
}

function names(submissions: readonly Submission[]): readonly string[] {
  return submissions.map(({ messageId }) => messageId)
}
