import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../src/core/ports/store.ts'
import { defaultQueueKey, type Submission } from '../../src/core/ports/submissions.ts'
import { ours, theirs } from './sample-accounts.ts'
import { messages, sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** What is handed out a second time. */
const uncertainAgain: Submission = {
  account: ours,
  messageId: 'm1',
  attempt: 1,
  uncertain: true,
  place: defaultQueueKey,
}

/** Each message is handed to one claimant at a time, and to another only when its time is over. */
export function queuesSubmissions(open: OpenStore): void {
  const storeWith = async (due: Readonly<Record<string, number>>): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const [message, dueAt] of Object.entries(due)) {
        await tx.in(ours).enqueue(message, dueAt)
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

    it('counts what is due in a queue, up to a limit', async () => {
      await using store = await storeWith({ m1: 30, m2: 10, m3: 20, m4: 31 })
      const count = (now: number, limit: number, place = defaultQueueKey) =>
        store.transact(({ submissions }) => submissions.countDue(place, now, limit))

      assert.deepEqual([await count(30, 9), await count(30, 2), await count(9, 9)], [3, 2, 0])
      assert.equal(await count(30, 9, { lane: 'other', priority: 1 }), 0)
      await claim(store, 30, 99, 2)
      assert.equal(await count(30, 9), 1)
    })

    it('hands a message out again when its time is over, as uncertain', async () => {
      await using store = await storeWith({ m1: 10 })

      const [first] = await claim(store, 10, 50)
      const [tooEarly] = await claim(store, 49, 90)
      const [second] = await claim(store, 50, 90)

      assert.deepEqual(first, {
        account: ours,
        messageId: 'm1',
        attempt: 0,
        uncertain: false,
        place: defaultQueueKey,
      })
      assert.equal(tooEarly, undefined)
      assert.deepEqual(second, uncertainAgain)
    })

    it('hands a postponed message out again as certain, and counts on', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)

      await postpone(store, { attempt: 0, dueAt: 20 })

      const [again] = await claim(store, 20, 50)
      assert.deepEqual(again, {
        account: ours,
        messageId: 'm1',
        attempt: 1,
        uncertain: false,
        place: defaultQueueKey,
      })
    })

    it('holds a claim that is prolonged until then, and hands it out as uncertain', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)

      const held = await prolong(store, 0, 80)
      const again = await prolong(store, 1, 90)
      const tooEarly = await claim(store, 79, 100)
      const [second] = await claim(store, 80, 100)

      assert.deepEqual([held, again, names(tooEarly)], [true, false, []])
      assert.deepEqual([second?.attempt, second?.uncertain], [1, true])
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

      const isDone = await finish(store, 0)

      assert.equal(isDone, true)
      assert.deepEqual(await claim(store, 99, 100), [])
    })

    it('is not done with what was claimed again since', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)
      await claim(store, 50, 90)

      const late = await finish(store, 0)
      const current = await finish(store, 1)
      const again = await finish(store, 1)

      assert.deepEqual([late, current, again], [false, true, false])
    })

    it('drops what is no more, whoever has claimed it', async () => {
      await using store = await storeWith({ m1: 10 })
      await claim(store, 10, 50)

      await store.transact((tx) => tx.in(ours).remove(messages, { id: 'm1' }))

      assert.deepEqual(await claim(store, 99, 100), [])
    })

    it('withdraws what nobody has', async () => {
      await using store = await storeWith({ m1: 10, m2: 10 })
      const withdraw = (message: string) => store.transact((tx) => tx.in(ours).dequeue(message))

      assert.deepEqual(await withdraw('m1'), defaultQueueKey)
      assert.equal(await withdraw('m1'), null)
      assert.deepEqual(names(await claim(store, 10, 50)), ['m2'])
      assert.equal(await withdraw('m2'), null)
      assert.deepEqual(names(await claim(store, 50, 90)), ['m2'])
    })

    it('does not withdraw what another account has', async () => {
      await using store = await storeWith({ m1: 10 })

      const other = await store.transact((tx) => tx.in(theirs).dequeue('m1'))

      assert.equal(other, null)
      assert.deepEqual(names(await claim(store, 10, 50)), ['m1'])
    })

    it('changes the time of a message that is submitted again', async () => {
      await using store = await storeWith({ m1: 10 })

      await store.transact((tx) => tx.in(ours).enqueue('m1', 90))

      assert.deepEqual(await claim(store, 89, 100), [])
      assert.deepEqual(names(await claim(store, 90, 100)), ['m1'])
    })

    it('keeps places apart, and tells where something waits and since when', async () => {
      await using store = await open(sampleCollections)
      const [slow, urgent] = [
        { lane: 'slow', priority: 1 },
        { lane: 'slow', priority: 3 },
      ]
      await store.transact(async (tx) => {
        await tx.in(ours).enqueue('m1', 30, slow)
        await tx.in(ours).enqueue('m2', 20, slow)
        await tx.in(ours).enqueue('m3', 25, urgent)
        await tx.in(theirs).enqueue('m4', 10)
      })

      const waiting = await store.transact((tx) => tx.submissions.waiting(99))
      const claimed = await store.transact((tx) => tx.submissions.claim(99, 200, 9, slow))
      const left = await store.transact((tx) => tx.submissions.waiting(99))

      assert.deepEqual(waiting, [
        { lane: '', priority: 1, dueAt: 10 },
        { lane: 'slow', priority: 1, dueAt: 20 },
        { lane: 'slow', priority: 3, dueAt: 25 },
      ])
      assert.deepEqual(
        claimed.map(({ messageId, place }) => [messageId, place]),
        [
          ['m2', slow],
          ['m1', slow],
        ],
      )
      assert.deepEqual(left[1], { ...slow, dueAt: 200 })
    })

    it('finds within five seconds what was stored long after it was due', async () => {
      await using store = await open(sampleCollections)
      await passOne(store, 100_000)
      await store.transact((tx) => tx.in(ours).enqueue('m2', 50_000))

      const waiting = await store.transact((tx) => tx.submissions.waiting(105_001))
      const claimed = await claim(store, 105_001, 200_000)

      assert.deepEqual(waiting, [{ ...defaultQueueKey, dueAt: 50_000 }])
      assert.deepEqual(names(claimed), ['m2'])
    })

    it('finds what is due when the clock was set back', async () => {
      await using store = await open(sampleCollections)
      await passOne(store, 100_000)
      await store.transact((tx) => tx.in(ours).enqueue('m2', 50_000))

      const waiting = await store.transact((tx) => tx.submissions.waiting(50_000))

      assert.deepEqual(waiting, [{ ...defaultQueueKey, dueAt: 50_000 }])
      assert.deepEqual(names(await claim(store, 50_000, 60_000)), ['m2'])
    })

    it('moves what is postponed to another place', async () => {
      await using store = await storeWith({ m1: 10 })
      const other = { lane: 'other', priority: 2 }
      const once = { account: ours, messageId: 'm1', attempt: 0 }
      await claim(store, 10, 50)

      await store.transact((tx) =>
        tx.submissions.settle(once, { kind: 'POSTPONED', dueAt: 20, queue: other }),
      )

      assert.deepEqual(await claim(store, 99, 100), [])
      const [moved] = await store.transact((tx) => tx.submissions.claim(20, 50, 9, other))
      assert.deepEqual([moved?.messageId, moved?.uncertain, moved?.place], ['m1', false, other])
    })

    it('moves nothing to another place that was claimed again since', async () => {
      await using store = await storeWith({ m1: 10 })
      const once = { account: ours, messageId: 'm1', attempt: 0 }
      await claim(store, 10, 50)
      await claim(store, 50, 90)

      const elsewhere = { lane: 'elsewhere', priority: 2 }
      await store.transact((tx) =>
        tx.submissions.settle(once, { kind: 'POSTPONED', dueAt: 60, queue: elsewhere }),
      )

      const moved = await store.transact((tx) => tx.submissions.claim(99, 120, 9, elsewhere))
      const stayed = await claim(store, 99, 120)
      assert.deepEqual([names(moved), names(stayed)], [[], ['m1']])
    })

    it('claims what is late wherever it waits, but nothing that is being handed over', async () => {
      await using store = await open(sampleCollections)
      const place = { lane: 'slow', priority: 0 }
      await store.transact(async (tx) => {
        await tx.in(ours).enqueue('m1', 900, place, 50)
        await tx.in(ours).enqueue('m2', 900, place, 40)
        await tx.in(ours).enqueue('m3', 900, place, 51)
        await tx.in(ours).enqueue('m4', 900, place)
        await tx.in(ours).enqueue('m5', 10, undefined, 30)
      })
      await claim(store, 10, 60)

      const late = await store.transact((tx) => tx.submissions.claim(50, 100, 9, 'LATE'))
      const again = await store.transact((tx) => tx.submissions.claim(50, 100, 9, 'LATE'))
      const later = await store.transact((tx) => tx.submissions.claim(60, 100, 9, 'LATE'))

      assert.deepEqual([names(late), names(again), names(later)], [['m2', 'm1'], [], ['m5', 'm3']])
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
): Promise<boolean> {
  const claimed = { account: ours, messageId: 'm1', attempt }
  return store.transact((tx) => tx.submissions.settle(claimed, { kind: 'POSTPONED', dueAt }))
}

function prolong(store: Store, attempt: number, until: number): Promise<boolean> {
  const claimed = { account: ours, messageId: 'm1', attempt }
  return store.transact((tx) => tx.submissions.settle(claimed, { kind: 'EXTENDED', dueAt: until }))
}

function finish(store: Store, attempt: number): Promise<boolean> {
  const claimed = { account: ours, messageId: 'm1', attempt }
  return store.transact((tx) => tx.submissions.settle(claimed, { kind: 'FINISHED' }))
}

/** Lets a submission pass, and looks at its queue before and after. */
async function passOne(store: Store, now: number): Promise<void> {
  const look = () => store.transact((tx) => tx.submissions.waiting(now))
  await store.transact((tx) => tx.in(ours).enqueue('m1', now))
  await look()
  const [first] = await claim(store, now, now + 100_000)
  assert.ok(first !== undefined)
  await store.transact((tx) => tx.submissions.settle(first, { kind: 'FINISHED' }))
  await look()
}

function names(submissions: readonly Submission[]): readonly string[] {
  return submissions.map(({ messageId }) => messageId)
}
