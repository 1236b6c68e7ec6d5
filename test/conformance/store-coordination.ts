import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NodeRecord } from '../../src/core/ports/nodes.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { ours } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

function node(id: string): NodeRecord {
  return { id, roles: ['api', 'deliver'], sharedState: `{"is":"${id}"}` }
}

/** Nodes that have claimed messages until 60; `n1` is there until 10, the others until 20. */
async function openClaimed(
  open: OpenStore,
  claims: Readonly<Record<string, readonly string[]>>,
): Promise<Store> {
  const store = await open(sampleCollections)
  for (const [id, messages] of Object.entries(claims)) {
    await store.transact(async (tx) => {
      await tx.nodes.beat(node(id), 0, id === 'n1' ? 10 : 20)
      for (const message of messages) await tx.in(ours).enqueue(message, 0)
      await tx.submissions.claim(0, 60, messages.length, defaultQueueKey, id)
    })
  }
  return store
}

async function forgetNodes(store: Store, now: number): Promise<readonly string[]> {
  const gone = await store.transact(({ nodes }) => nodes.expired(now))
  for (const id of gone) await store.transact(({ nodes }) => nodes.freeClaims(id, now))
  return store.transact(({ nodes }) => nodes.expired(now, true))
}

async function leave(store: Store, id: string, now: number): Promise<void> {
  await store.transact(({ nodes }) => nodes.freeClaims(id, now))
  await store.transact(({ nodes }) => nodes.leave(id))
}

/** What nodes know of each other, and what they share. */
export function coordinatesNodes(open: OpenStore): void {
  describe('nodes', () => {
    it('are there until their time is over, or they leave', async () => {
      await using store = await open(sampleCollections)
      const beat = (id: string, now: number, until: number) =>
        store.transact(({ nodes }) => nodes.beat(node(id), now, until))

      const first = await beat('n2', 0, 10)
      const both = await beat('n1', 5, 30)
      const late = await beat('n1', 10, 30)
      await beat('n3', 11, 40)
      await leave(store, 'n1', 12)
      const last = await beat('n3', 12, 40)

      assert.deepEqual(first, [node('n2')])
      assert.deepEqual(both, [node('n1'), node('n2')])
      assert.deepEqual(late, [node('n1')])
      assert.deepEqual(last, [node('n3')])
    })
  })

  describe('a node that is not heard of', () => {
    it('is forgotten once, and what it had claimed is due again, as uncertain', async () => {
      await using store = await openClaimed(open, { n1: ['m1'], n2: ['m2'] })
      const forget = () => forgetNodes(store, 10)
      const woken: (number | null)[] = []
      store.onCommit(({ submissionDueAt }) => woken.push(submissionDueAt))

      const gone = await forget()
      const again = await forget()
      const due = await store.transact((tx) =>
        tx.submissions.claim(10, 80, 9, defaultQueueKey, 'n2'),
      )

      assert.deepEqual([gone, again], [['n1'], []])
      assert.deepEqual(due, [
        { account: ours, messageId: 'm1', attempt: 1, uncertain: true, place: defaultQueueKey },
      ])
      assert.ok(woken.includes(10))
    })

    it('moves nothing that another has claimed since, and what nobody has it may still finish', async () => {
      await using store = await openClaimed(open, { n1: ['m1', 'm2'] })
      const finish = (messageId: string) =>
        store.transact((tx) =>
          tx.submissions.settle({ account: ours, messageId, attempt: 0 }, { kind: 'FINISHED' }),
        )
      await forgetNodes(store, 10)
      const [taken] = await store.transact((tx) =>
        tx.submissions.claim(10, 80, 1, defaultQueueKey, 'n2'),
      )

      const finished = [await finish('m1'), await finish('m2')]

      assert.equal(taken?.messageId, 'm1')
      assert.deepEqual(finished, [false, true])
    })

    it('frees nothing that it gave back, or that another has claimed', async () => {
      await using store = await openClaimed(open, { n1: ['m1', 'm2'], n2: [] })
      const claimed = { account: ours, attempt: 0 }
      await store.transact(async ({ submissions }) => {
        await submissions.settle(
          { ...claimed, messageId: 'm1' },
          { kind: 'POSTPONED', dueAt: 1000 },
        )
        await submissions.settle({ ...claimed, messageId: 'm2' }, { kind: 'POSTPONED', dueAt: 5 })
        await submissions.claim(5, 60, 9, defaultQueueKey, 'n2')
      })

      await forgetNodes(store, 10)
      const due = await store.transact((tx) => tx.submissions.claim(59, 99, 9))

      assert.deepEqual(due, [])
    })

    it('frees what it had claimed when it says itself that it goes', async () => {
      await using store = await openClaimed(open, { n1: ['m1'], n2: ['m2'] })

      await leave(store, 'n1', 5)

      const due = await store.transact((tx) => tx.submissions.claim(5, 80, 9))
      assert.deepEqual(
        due.map(({ messageId }) => messageId),
        ['m1'],
      )
    })
  })

  describe('leases by name', () => {
    it('are held by one owner at a time, who can hold them on', async () => {
      await using store = await open(sampleCollections)
      const take = (owner: string, now: number, until: number) =>
        store.transact(({ leases }) => leases.take(['a', 'b'], owner, now, until))

      const first = await take('n1', 0, 10)
      const refused = await take('n2', 9, 20)
      const renewed = await take('n1', 9, 20)
      const taken = await take('n2', 20, 30)

      const fences = (fence: number) => ['a', 'b'].map((name) => ({ name, fence }))
      assert.deepEqual(first, fences(1))
      assert.deepEqual(refused, [])
      assert.deepEqual(renewed, fences(1))
      assert.deepEqual(taken, fences(2))
    })

    it('are given back by whoever holds them, and by nobody else', async () => {
      await using store = await open(sampleCollections)
      const take = (owner: string) =>
        store.transact(({ leases }) => leases.take(['a'], owner, 0, 10))
      const release = (owner: string) =>
        store.transact(({ leases }) => leases.release(['a'], owner))
      await take('n1')

      await release('n2')
      const refused = await take('n2')
      await release('n1')
      const taken = await take('n2')

      assert.deepEqual(refused, [])
      assert.deepEqual(taken, [{ name: 'a', fence: 2 }])
    })
  })

  describe('shared rates', () => {
    it('are as they were left', async () => {
      await using store = await open(sampleCollections)
      const level = () => store.transact(({ buckets }) => buckets.level('a'))
      const put = (tokens: number) =>
        store.transact(({ buckets }) => buckets.put('a', { tokens, filledAt: 7 }))

      const before = await level()
      await put(2.5)
      const full = await level()
      await put(-3)

      assert.equal(before, null)
      assert.deepEqual(full, { tokens: 2.5, filledAt: 7 })
      assert.deepEqual(await level(), { tokens: -3, filledAt: 7 })
    })
  })
}
