import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NodeRecord } from '../../src/core/nodes.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

function node(id: string): NodeRecord {
  return { id, roles: ['api', 'deliver'], told: `{"is":"${id}"}` }
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
      await store.transact(({ nodes }) => nodes.leave('n1'))
      const last = await beat('n3', 12, 40)

      assert.deepEqual(first, [node('n2')])
      assert.deepEqual(both, [node('n1'), node('n2')])
      assert.deepEqual(late, [node('n1')])
      assert.deepEqual(last, [node('n3')])
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
