import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Commit,
  type Reader,
  type Store,
  StoreUnavailable,
  type Transaction,
  where,
} from '../../src/core/ports/store.ts'
import { ours } from './sample-accounts.ts'
import { aPiece, aThing, pieces, sampleCollections, things } from './sample-collections.ts'
import { aNotification } from './sample-notifications.ts'
import type { OpenStore } from './store.ts'

const all = where([], 1000)

/** A transaction happens wholly or not at all, and as if it were alone. */
export function runsTransactions(open: OpenStore, sideBySide: string | false, crowd: number): void {
  describe('transactions', () => {
    it('gives back what the work gives back', async () => {
      await using store = await open(sampleCollections)

      assert.equal(await store.transact(async () => 7), 7)
      assert.equal(await store.read(ours, async () => 8), 8)
    })

    it('lets only as many pass a count under a name as there is room for', async () => {
      await using store = await open(sampleCollections)
      const limit = 3
      const addOne = (id: string): Promise<boolean> =>
        store.transact(async (tx) => {
          const writer = tx.in(ours)
          await writer.lock(things, null)
          const count = await writer.count(things, null, { conditions: [], searchTerms: [] })
          if (count < limit) await writer.save(things, { id }, aThing(id), null)
          return count < limit
        }, 'TOGETHER')

      const passed = await Promise.all(Array.from({ length: 8 }, (_, at) => addOne(`t${at}`)))

      assert.equal(passed.filter(Boolean).length, limit)
      assert.equal((await ids(store)).length, limit)
    })

    it('keeps nothing of one that fails', async () => {
      await using store = await open(sampleCollections)
      await save(store, 'before')

      const failing = store.transact(async (tx) => {
        await tx.in(ours).save(things, { id: 'new' }, aThing('new'), null)
        await tx.in(ours).remove(things, { id: 'before' })
        await tx.in(ours).enqueue('new', 0)
        await tx.in(ours).notify(aNotification('new'))
        throw new Error('changed my mind')
      })

      await assert.rejects(failing, /changed my mind/)
      assert.deepEqual(await ids(store), ['before'])
      assert.deepEqual(await store.transact((tx) => tx.submissions.claim(9, 10, 9)), [])
    })

    it('keeps those before and after one that fails, started together', async () => {
      await using store = await open(sampleCollections)

      const results = await Promise.allSettled(
        ['t1', 't2', 't3', 't4'].map((id) =>
          store.transact(async (tx) => {
            await tx.in(ours).save(things, { id }, aThing(id), null)
            if (id === 't1' || id === 't3') throw new Error('no')
            return id
          }),
        ),
      )

      assert.deepEqual(
        results.map(({ status }) => status),
        ['rejected', 'fulfilled', 'rejected', 'fulfilled'],
      )
      assert.deepEqual(await ids(store), ['t2', 't4'])
    })

    it('sees its own writes, and nobody else does before it ends', async () => {
      await using store = await open(sampleCollections)

      await store.transact(async (tx) => {
        await tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null)
        assert.notEqual(await tx.in(ours).find(things, { id: 't1' }), null)
        assert.equal((await tx.in(ours).list(things, null, all)).length, 1)
        assert.deepEqual(await ids(store), [])
      })

      assert.deepEqual(await ids(store), ['t1'])
    })

    it('shows a reader one state for as long as it reads', async () => {
      await using store = await open(sampleCollections)
      await save(store, 't1')
      const seen: string[][] = []
      const look = async (reader: Reader): Promise<void> => {
        seen.push((await reader.list(things, null, all)).map(({ id }) => id))
      }

      await store.read(ours, async (reader) => {
        await look(reader)
        await save(store, 't2')
        await look(reader)
        await store.read(ours, look)
        await save(store, 't3')
        await nextTurn()
        await look(reader)
      })
      await store.read(ours, look)

      assert.deepEqual(seen, [['t1'], ['t1'], ['t1', 't2'], ['t1'], ['t1', 't2', 't3']])
    })

    it('runs many started together as if one after the other', async () => {
      await using store = await open(sampleCollections)
      const addOne = async (tx: Transaction): Promise<number> => {
        const before = await tx.in(ours).find(things, { id: 'counter' })
        const size = Number(JSON.parse(before?.doc ?? '{"size":0}').size) + 1
        await tx.in(ours).save(things, { id: 'counter' }, aThing('counter', { size }), null)
        return size
      }

      const results = await Promise.all(Array.from({ length: crowd }, () => store.transact(addOne)))

      assert.deepEqual(
        results.toSorted((a, b) => a - b),
        Array.from({ length: crowd }, (_, index) => index + 1),
      )
    })

    it('lets one of a hundred with the same condition win', async () => {
      await using store = await open(sampleCollections)
      await save(store, 't1')
      const change = (by: number) =>
        store.transact(async (tx) => {
          const before = await tx.in(ours).find(things, { id: 't1' })
          if (JSON.parse(before?.doc ?? '{}').size !== null) return false
          await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { size: by }), null)
          return true
        })

      const results = await Promise.all(Array.from({ length: 100 }, (_, at) => change(at + 2)))

      assert.equal(results.filter((won) => won).length, 1)
    })

    it('makes an instance for one of a hundred that find none', async () => {
      await using store = await open(sampleCollections)
      const make = (size: number) =>
        store.transact(async (tx) => {
          if ((await tx.in(ours).find(things, { id: 't1' })) !== null) return false
          await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { size }), null)
          return true
        })

      const results = await Promise.all(Array.from({ length: 100 }, (_, at) => make(at)))

      assert.equal(results.filter((won) => won).length, 1)
    })

    it('lets one of twenty write what all look for first, and shows it to the others', async () => {
      await using store = await open(sampleCollections)
      const answer = (name: string) =>
        store.transact(async (tx) => {
          const writer = tx.in(ours)
          const kept = await writer.find(things, { id: 'once' })
          if (kept !== null) return JSON.parse(kept.doc).name
          await writer.save(things, { id: name }, aThing(name), null)
          await writer.save(things, { id: 'once' }, aThing('once', { name }), null)
          return name
        })

      const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => answer(`t${at}`)))

      assert.equal(new Set(answers).size, 1)
      assert.deepEqual(await ids(store), ['once', answers[0]])
    })

    it('runs no other while one awaits something else', { skip: sideBySide }, async () => {
      await using store = await open(sampleCollections)
      const steps: string[] = []

      await Promise.all([
        store.transact(async (tx) => {
          steps.push('first begins')
          await tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null)
          await nextTurn()
          steps.push('first ends')
        }),
        store.transact(async (tx) => {
          steps.push('second begins')
          assert.notEqual(await tx.in(ours).find(things, { id: 't1' }), null)
        }),
      ])

      assert.deepEqual(steps, ['first begins', 'first ends', 'second begins'])
    })

    it('refuses what a work left to do when it ended', async () => {
      await using store = await open(sampleCollections)

      const left = await store.transact(async (tx) => tx)
      const late = async () => left.in(ours).save(things, { id: 't1' }, aThing('t1'), null)
      const added = async () => left.in(ours).add(things, null, [{ ...aThing('t2'), id: 't2' }])

      await assert.rejects(late, /over/)
      await assert.rejects(added, /over/)
      assert.deepEqual(await ids(store), [])
    })

    it('refuses what comes after the end, and finishes what came before', async () => {
      const store = await open(sampleCollections)

      const before = save(store, 't1')
      const closing = store[Symbol.asyncDispose]()
      const after = save(store, 't2')

      await assert.rejects(after, StoreUnavailable)
      await before
      await closing
      await assert.rejects(ids(store), StoreUnavailable)
      await assert.rejects(store.log.end(ours), StoreUnavailable)
      await store[Symbol.asyncDispose]()
    })

    it('refuses a collection that it was opened without', async () => {
      await using store = await open([things])

      const reading = store.read(ours, (reader) => reader.list(pieces, 't1', all))

      await assert.rejects(reading, /opened without things\/pieces/)
    })
  })

  describe('commits', () => {
    it('tells what they left to do', async () => {
      await using store = await open(sampleCollections)
      const commits: Commit[] = []
      const stop = store.onCommit((commit) => commits.push(commit))

      await store.transact(async (tx) => {
        await tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null)
        await tx.in(ours).save(pieces, { id: 'p', parent: 't1' }, aPiece('p'), null)
        await tx.in(ours).enqueue('t1', 20)
        await tx.in(ours).enqueue('t2', 10)
        await tx.in(ours).notify(aNotification('t1'))
      })
      await store.transact((tx) => tx.in(ours).find(things, { id: 't1' }))
      await store.transact((tx) => tx.in(ours).remove(things, { id: 't1' }))
      stop()
      await save(store, 't3')

      assert.deepEqual(commits, [
        {
          notified: new Set([ours]),
          changed: new Set(['things', 'things/pieces']),
          submissionDueAt: 10,
          recalled: [],
        },
        {
          notified: new Set(),
          changed: new Set(['things', 'things/pieces']),
          submissionDueAt: null,
          recalled: [],
        },
      ])
    })

    it('says nothing of a work that failed', async () => {
      await using store = await open(sampleCollections)
      const commits: Commit[] = []
      store.onCommit((commit) => commits.push(commit))

      await Promise.allSettled([
        store.transact(async (tx) => {
          await tx.in(ours).save(pieces, { id: 'p', parent: 't1' }, aPiece('p'), null)
          await tx.in(ours).enqueue('t1', 5)
          tx.recall('s1')
          throw new Error('no')
        }),
        store.transact((tx) => tx.in(ours).enqueue('t2', 10)),
      ])

      const nothing = { notified: new Set(), changed: new Set() }
      assert.deepEqual(commits, [{ ...nothing, submissionDueAt: 10, recalled: [] }])
    })

    it('tells what was called back, before whoever did so is answered', async () => {
      await using store = await open(sampleCollections)
      const told: string[] = []
      store.onCommit(({ recalled }) => told.push(...recalled))

      const asked = store.transact(async (tx) => tx.recall('s1')).then(() => told.push('answered'))
      await Promise.all([asked, store.transact(async (tx) => tx.recall('s2'))])

      assert.ok(told.indexOf('s1') < told.indexOf('answered'))
      assert.deepEqual(told.toSorted(), ['answered', 's1', 's2'])
    })

    it('are seen by whoever is told of them', async () => {
      await using store = await open(sampleCollections)
      const seen: Promise<readonly string[]>[] = []
      store.onCommit(() => seen.push(ids(store)))

      await save(store, 't1')

      assert.deepEqual(await Promise.all(seen), [['t1']])
    })

    it('go on when a listener throws', async () => {
      await using store = await open(sampleCollections)
      let told = 0
      store.onCommit(() => {
        throw new Error('listener')
      })
      store.onCommit(() => (told += 1))

      await save(store, 't1')
      await save(store, 't2')

      assert.equal(told, 2)
      assert.deepEqual(await ids(store), ['t1', 't2'])
    })
  })
}

async function save(store: Store, id: string): Promise<void> {
  await store.transact((tx) => tx.in(ours).save(things, { id }, aThing(id), null))
}

function ids(store: Store): Promise<readonly string[]> {
  return store.read(ours, async (reader) =>
    (await reader.list(things, null, all)).map(({ id }) => id),
  )
}
