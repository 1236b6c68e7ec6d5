import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../src/core/ports/store.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { ours } from './sample-accounts.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** Nodes that have claimed messages until 60. */
async function openClaimed(
  open: OpenStore,
  claims: Readonly<Record<string, readonly string[]>>,
): Promise<Store> {
  const store = await open(sampleCollections)
  for (const [id, messages] of Object.entries(claims)) {
    await store.transact(async (tx) => {
      for (const message of messages) await tx.in(ours).enqueue(message, 0)
      await tx.submissions.claim(0, 60, messages.length, defaultQueueKey, id)
    })
  }
  return store
}

function free(store: Store, owner: string, now: number): Promise<void> {
  return store.transact(({ submissions }) => submissions.free(owner, now))
}

/** What nodes know of each other, and what they share. */
export function coordinatesNodes(open: OpenStore): void {
  describe('a node that is not heard of', () => {
    it('leaves what it had claimed due again, as uncertain', async () => {
      await using store = await openClaimed(open, { n1: ['m1'], n2: ['m2'] })
      const woken: (number | null)[] = []
      store.onCommit(({ submissionDueAt }) => woken.push(submissionDueAt))

      await free(store, 'n1', 10)
      await free(store, 'n1', 20)
      const due = await store.transact((tx) =>
        tx.submissions.claim(10, 80, 9, defaultQueueKey, 'n2'),
      )

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
      await free(store, 'n1', 10)
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

      await free(store, 'n1', 10)
      const due = await store.transact((tx) => tx.submissions.claim(59, 99, 9))

      assert.deepEqual(due, [])
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

      assert.deepEqual(first, ['a', 'b'])
      assert.deepEqual(refused, [])
      assert.deepEqual(renewed, ['a', 'b'])
      assert.deepEqual(taken, ['a', 'b'])
    })

    it('are given back by whoever holds them, and by nobody else', async () => {
      await using store = await open(sampleCollections)
      const take = (owner: string) =>
        store.transact(({ leases }) => leases.take(['a'], owner, 0, 10))
      const release = (owner: string) =>
        store.transact(({ leases }) => leases.release(['b', 'a'], owner))
      await take('n1')

      const released = [await release('n2'), await take('n2'), await release('n1')]
      const again = await release('n1')

      assert.deepEqual(released, [[], [], ['a']])
      assert.deepEqual(again, [])
      assert.deepEqual(await take('n2'), ['a'])
    })

    it('are ended by others only once their time is over, by one of them', async () => {
      await using store = await open(sampleCollections)
      const end = (at: number) =>
        store.transact(({ leases }) => leases.release(['a', 'b'], 'n1', at))
      await store.transact(async ({ leases }) => {
        await leases.take(['a'], 'n1', 0, 10)
        await leases.take(['b'], 'n1', 0, 20)
      })

      const ended = await Promise.all([end(10), end(10)])

      assert.deepEqual(ended.flat(), ['a'])
      assert.deepEqual(await end(19), [])
    })

    it('tell others what their owners say, by name, after their end too', async () => {
      await using store = await open(sampleCollections)
      const take = (name: string, owner: string, until: number, value?: string) =>
        store.transact(({ leases }) => leases.take([name], owner, 0, until, value))
      await take('node/2', 'n2', 10, '{"is":2}')
      await take('node/1', 'n1', 20)
      await take('node/1', 'n1', 30, '{"is":1}')
      await take('nodes', 'n3', 40)

      const listed = await store.transact(({ leases }) => leases.list('node/', 7))

      assert.deepEqual(listed.leases, [
        { name: 'node/1', owner: 'n1', until: 30, value: '{"is":1}' },
        { name: 'node/2', owner: 'n2', until: 10, value: '{"is":2}' },
      ])
    })
  })

  describe('shared values', () => {
    it('are as they were left', async () => {
      await using store = await open(sampleCollections)
      const read = () => store.transact(({ leases }) => leases.read('a'))
      const write = (value: string) =>
        store.transact(({ leases }) => leases.take(['a'], '', 5, 5, value))

      const before = await read()
      await write('one')
      const first = await read()
      await write('other')

      assert.equal(before, null)
      assert.deepEqual([first, await read()], ['one', 'other'])
    })
  })
}
