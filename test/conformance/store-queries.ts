import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AccountReach, everyAccount } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { JsonObject } from '../../src/core/json.ts'
import {
  type Condition,
  fold,
  type Query,
  type Scalar,
  type SortKey,
} from '../../src/core/declaration/query.ts'
import type { RowFilter, Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { aPiece, aThing, pieces, sampleCollections, things } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** Queries mean what core/query.ts says. */
export function answersQueries(open: OpenStore): void {
  const storeWith = async (
    instances: Readonly<Record<string, JsonObject>>,
    hidden: JsonObject | null = null,
  ): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const [id, fields] of Object.entries(instances)) {
        await tx.in(ours).save(things, { id }, aThing(id, fields), hidden)
      }
    })
    return store
  }

  describe('conditions', () => {
    it('holds for an equal text and for any of several', async () => {
      await using store = await storeWith({
        a: { name: 'x' },
        b: { name: 'X' },
        c: { name: 'y' },
        d: {},
      })

      assert.deepEqual(await ids(store, is('name', 'eq', 'x')), ['a'])
      assert.deepEqual(await ids(store, is('name', 'eq', 'x', 'y')), ['a', 'c'])
      assert.deepEqual(await ids(store, is('name', 'eq', null)), ['d'])
      assert.deepEqual(await ids(store, is('name', 'eq', null, 'x')), ['a', 'd'])
    })

    it('leaves out each of several values, and nulls with them', async () => {
      await using store = await storeWith({
        a: { note: 'x' },
        b: { note: 'y' },
        c: { note: 'z' },
        d: {},
      })

      assert.deepEqual(await ids(store, is('note', 'ne', 'x')), ['b', 'c'])
      assert.deepEqual(await ids(store, is('note', 'ne', 'x', 'y')), ['c'])
      assert.deepEqual(await ids(store, is('note', 'ne', null)), ['a', 'b', 'c'])
      assert.deepEqual(await ids(store, is('note', 'ne', null, 'x')), ['b', 'c'])
    })

    it('holds if one group of alternatives holds as a whole, besides all other conditions', async () => {
      await using store = await storeWith({
        a: { name: 'x', note: 'p' },
        b: { name: 'x', note: 'q' },
        c: { name: 'y', note: 'q' },
        d: { name: 'y', note: 'p', size: 1 },
      })
      const found = (...alternatives: readonly (readonly Condition[])[]) =>
        list(store, things, { alternatives })
      const [x, p] = [is('name', 'eq', 'x'), is('note', 'eq', 'p')]
      const [y, q] = [is('name', 'eq', 'y'), is('note', 'eq', 'q')]

      assert.deepEqual(await found([x, p], [y, q]), ['a', 'c'])
      assert.deepEqual(await found([x], [p]), ['a', 'b', 'd'])
      assert.deepEqual(await found([p, is('size', 'gt', 0)], [p, x]), ['a', 'd'])
      assert.deepEqual(await found([q, p]), [])
    })

    it('compares numbers, and finds no null by it', async () => {
      await using store = await storeWith({
        a: { size: -1, weight: 0.5 },
        b: { size: 2, weight: 1e21 },
        c: { size: 10, weight: 2 ** 53 },
        d: {},
      })

      assert.deepEqual(await ids(store, is('size', 'gt', 2)), ['c'])
      assert.deepEqual(await ids(store, is('size', 'gte', 2)), ['b', 'c'])
      assert.deepEqual(await ids(store, is('size', 'lt', 2)), ['a'])
      assert.deepEqual(await ids(store, is('size', 'lte', 2)), ['a', 'b'])
      assert.deepEqual(await ids(store, is('weight', 'gt', 0.5)), ['b', 'c'])
      assert.deepEqual(await ids(store, is('weight', 'eq', 2 ** 53)), ['c'])
    })

    it('compares texts by code point, not by UTF-16 unit', async () => {
      await using store = await storeWith({ a: { name: '\uff5e' }, b: { name: '🚀' } })

      assert.deepEqual(await ids(store, is('name', 'gt', '\uff5e')), ['b'])
      assert.deepEqual(await ids(store, is('name', 'lt', '🚀')), ['a'])
    })

    it('compares booleans and timestamps', async () => {
      await using store = await storeWith({
        a: { ready: true, madeAt: '2026-01-01T00:00:00.000Z' },
        b: { ready: false, madeAt: '2026-01-02T00:00:00.000Z' },
        c: {},
      })

      assert.deepEqual(await ids(store, is('ready', 'eq', true)), ['a'])
      assert.deepEqual(await ids(store, is('ready', 'ne', true)), ['b'])
      assert.deepEqual(await ids(store, is('ready', 'eq', null, false)), ['b', 'c'])
      assert.deepEqual(await ids(store, is('madeAt', 'gt', '2026-01-01T00:00:00.000Z')), ['b'])
    })

    it('takes the star alone for a wildcard, and heeds case', async () => {
      await using store = await storeWith({
        a: { name: 'ab%_c' },
        b: { name: 'abXYc' },
        c: { name: 'AB%_C' },
        d: { name: 'a[b]?c\nd' },
        e: { name: '' },
        f: {},
      })

      assert.deepEqual(await ids(store, is('name', 'like', 'ab*')), ['a', 'b'])
      assert.deepEqual(await ids(store, is('name', 'like', '*%_*')), ['a', 'c'])
      assert.deepEqual(await ids(store, is('name', 'like', '*c')), ['a', 'b'])
      assert.deepEqual(await ids(store, is('name', 'like', 'a*b*c')), ['a', 'b'])
      assert.deepEqual(await ids(store, is('name', 'like', 'a[b]?*')), ['d'])
      assert.deepEqual(await ids(store, is('name', 'like', 'a*d')), ['d'])
      assert.deepEqual(await ids(store, is('name', 'like', 'ab')), [])
      assert.deepEqual(await ids(store, is('name', 'like', '')), ['e'])
      assert.deepEqual(await ids(store, is('name', 'like', '**')), ['a', 'b', 'c', 'd', 'e'])
    })

    it('reaches into objects, and into maps by any name', async () => {
      await using store = await storeWith({
        a: { status: { id: 'NEW.x', type: 'NEW' }, labels: { 'a"b\\c.d': 'v' } },
        b: { status: { id: null, type: 'OLD' }, labels: { $: 'v' } },
      })

      assert.deepEqual(await ids(store, is('status.type', 'eq', 'OLD')), ['b'])
      assert.deepEqual(await ids(store, is('status.id', 'eq', null)), ['b'])
      const named = (name: string): Condition => ({
        path: ['labels', name],
        operator: 'eq',
        values: ['v'],
      })
      assert.deepEqual(await ids(store, named('a"b\\c.d')), ['a'])
      assert.deepEqual(await ids(store, named('$')), ['b'])
      assert.deepEqual(await ids(store, named('other')), [])
    })

    it('finds an array by its elements', async () => {
      await using store = await storeWith({
        a: { tags: ['x', 'y'], ratings: [1, 2] },
        b: { tags: ['z'], ratings: [3] },
        c: { tags: [] },
        d: { tags: null },
      })

      assert.deepEqual(await ids(store, is('tags', 'eq', 'x')), ['a'])
      assert.deepEqual(await ids(store, is('tags', 'eq', 'y', 'z')), ['a', 'b'])
      assert.deepEqual(await ids(store, is('tags', 'ne', 'x')), ['b', 'c'])
      assert.deepEqual(await ids(store, is('tags', 'eq', null)), ['d'])
      assert.deepEqual(await ids(store, is('tags', 'ne', null)), ['a', 'b', 'c'])
      assert.deepEqual(await ids(store, is('ratings', 'eq', 3)), ['b'])
      assert.deepEqual(await ids(store, is('ratings', 'ne', 1, 3)), ['c', 'd'])
      assert.deepEqual(await ids(store, is('tags', 'gt', 'a')), [])
    })

    it('looks into what is never shown', async () => {
      await using store = await storeWith({ a: {} }, { secret: 's', inner: { pin: '1' } })

      assert.deepEqual(await ids(store, is('secret', 'eq', 's')), ['a'])
      assert.deepEqual(await ids(store, is('inner.pin', 'eq', '1')), ['a'])
      assert.deepEqual(await ids(store, is('secret', 'eq', 'x')), [])
    })

    it('holds all of several conditions', async () => {
      await using store = await storeWith({
        a: { name: 'x', size: 1 },
        b: { name: 'x', size: 2 },
        c: { name: 'y', size: 2 },
      })

      const found = await ids(store, is('name', 'eq', 'x'), is('size', 'gte', 2))

      assert.deepEqual(found, ['b'])
    })

    it('takes thousands of values', async () => {
      await using store = await storeWith({ a: { name: '39999' }, b: { note: '39999' }, c: {} })
      const values = Array.from({ length: 40_000 }, (_, index) => String(index))

      assert.deepEqual(await ids(store, is('name', 'eq', ...values)), ['a'])
      assert.deepEqual(await ids(store, is('note', 'ne', ...values)), [])
    })
  })

  describe('search', () => {
    it('finds each word anywhere in the searched fields, whatever its case', async () => {
      await using store = await storeWith({
        a: { name: 'Éclair au café', note: '50%' },
        b: { name: 'ECLAIR', note: 'CAFÉ' },
        c: { name: 'straße', code: 'café' },
      })

      assert.deepEqual(await search(store, 'éclair CAFE\u0301'), ['a'])
      assert.deepEqual(await search(store, 'caf'), ['a', 'b'])
      assert.deepEqual(await search(store, 'STRASSE'), ['c'])
      assert.deepEqual(await search(store, '%'), ['a'])
      assert.deepEqual(await search(store, '_'), [])
    })

    it('finds no word across two fields', async () => {
      await using store = await storeWith({ a: { name: 'ab', note: 'cd' } })

      assert.deepEqual(await search(store, 'bc'), [])
      assert.deepEqual(await search(store, 'cd ab'), ['a'])
    })

    it('finds by what an instance says now', async () => {
      await using store = await storeWith({ a: { name: 'before' } })
      await store.transact((tx) =>
        tx.in(ours).save(things, { id: 'a' }, aThing('a', { name: 'after' }), null),
      )

      assert.deepEqual(await search(store, 'before'), [])
      assert.deepEqual(await search(store, 'after'), ['a'])
    })
  })

  describe('order', () => {
    it('puts nulls last in both directions, and breaks ties by id ascending', async () => {
      await using store = await storeWith({
        a: { size: 2, note: 'n' },
        b: {},
        c: { size: 1, note: 'm' },
        d: { size: 2, note: 'n' },
        e: {},
      })

      for (const field of ['size', 'note']) {
        assert.deepEqual(await sorted(store, [by(field, 'asc')]), ['c', 'a', 'd', 'b', 'e'])
        assert.deepEqual(await sorted(store, [by(field, 'desc')]), ['a', 'd', 'c', 'b', 'e'])
      }
      assert.deepEqual(await sorted(store, [by('size', 'desc'), by('id', 'desc')]), [
        'd',
        'a',
        'c',
        'e',
        'b',
      ])
    })

    it('sorts texts by code point', async () => {
      await using store = await storeWith({
        a: { note: '🚀' },
        b: { note: '\uff5e' },
        c: { note: 'Z' },
        d: { note: 'a' },
        e: { note: 'aa' },
      })

      assert.deepEqual(await sorted(store, [by('note', 'asc')]), ['c', 'd', 'e', 'b', 'a'])
    })

    it('sorts by several fields in order of precedence', async () => {
      await using store = await storeWith({
        a: { status: { id: '1', type: 'NEW' }, size: 1 },
        b: { status: { id: '2', type: 'OLD' }, size: 2 },
        c: { status: { id: '3', type: 'NEW' }, size: 3 },
      })

      const found = await sorted(store, [by('status.type', 'desc'), by('size', 'desc')])

      assert.deepEqual(found, ['b', 'c', 'a'])
    })
  })

  describe('pages', () => {
    it('begins so many instances on, and ends with the limit', async () => {
      await using store = await storeWith({ a: {}, b: {}, c: {}, d: {} })
      const page = (offset: number, limit: number) =>
        list(store, things, { start: { offset }, limit })

      assert.deepEqual(await page(0, 2), ['a', 'b'])
      assert.deepEqual(await page(2, 2), ['c', 'd'])
      assert.deepEqual(await page(3, 2), ['d'])
      assert.deepEqual(await page(9, 2), [])
    })

    it('goes on behind every instance of an order, nulls included', async () => {
      await using store = await storeWith({
        a: { size: 2, note: 'x' },
        b: { note: 'y' },
        c: { size: 1 },
        d: { size: 2 },
        e: {},
        f: { size: 1, note: 'x' },
        g: { note: 'x' },
      })
      const orders: SortKey[][] = [
        [by('size', 'asc'), by('id', 'asc')],
        [by('size', 'desc'), by('id', 'asc')],
        [by('size', 'desc'), by('note', 'asc'), by('id', 'desc')],
        [by('note', 'asc'), by('size', 'desc'), by('id', 'asc')],
        [by('id', 'desc')],
      ]

      for (const sort of orders) {
        const all = await list(store, things, { sort })
        for (const [index, id] of all.entries()) {
          const after = await sortValues(store, id, sort)
          const rest = await list(store, things, { sort, start: { after } })
          assert.deepEqual(rest, all.slice(index + 1))
          const two = await list(store, things, { sort, start: { after }, limit: 2 })
          assert.deepEqual(two, all.slice(index + 1, index + 3))
        }
      }
    })

    it('goes on behind a place where no instance is', async () => {
      await using store = await storeWith({ a: { size: 1 }, c: { size: 3 } })

      const sort = [by('size', 'asc'), by('id', 'asc')]
      const found = await list(store, things, { sort, start: { after: [2, 'b'] } })

      assert.deepEqual(found, ['c'])
    })
  })

  describe('count', () => {
    it('counts what a list of all pages would have', async () => {
      await using store = await storeWith({
        a: { name: 'x y' },
        b: { name: 'x' },
        c: { size: 1 },
      })
      const count = (conditions: Condition[], words: string[]) =>
        store.read(ours, (reader) => reader.count(things, null, { conditions, searchTerms: words }))

      assert.equal(await count([], []), 3)
      assert.equal(await count([is('name', 'like', 'x*')], []), 2)
      assert.equal(await count([is('name', 'like', 'x*')], ['y']), 1)
    })
  })

  describe('members', () => {
    const membersOf = (parent: string) => ({ members: { entries: pieces, parent } })
    const storeWithMembers = async (): Promise<Store> => {
      const store = await storeWith({
        a: { size: 3, name: 'x', note: 'one' },
        b: { size: 1, name: 'x', note: 'two' },
        c: { size: 2, name: 'y', note: 'three' },
        d: { size: 9, name: 'x', note: 'four' },
      })
      await store.transact(async (tx) => {
        for (const [parent, id] of [
          ['g', 'c'],
          ['g', 'a'],
          ['g', 'b'],
          ['g', 'gone'],
          ['h', 'd'],
        ] as const) {
          await tx.in(ours).save(pieces, { id, parent }, aPiece(id), null)
        }
        await tx.in(theirs).save(pieces, { id: 'd', parent: 'g' }, aPiece('d'), null)
      })
      return store
    }

    it('are the instances that the entries below a parent name', async () => {
      await using store = await storeWithMembers()
      const of = (parent: string, parts: Partial<Query> = {}) =>
        list(store, things, { ...parts, ...membersOf(parent) })

      assert.deepEqual(await of('g'), ['a', 'b', 'c'])
      assert.deepEqual(await of('h'), ['d'])
      assert.deepEqual(await of('none'), [])
      assert.deepEqual(await of('g', { sort: [by('id', 'desc')], limit: 2 }), ['c', 'b'])
      assert.deepEqual(await of('g', { sort: [by('size', 'asc'), byId] }), ['b', 'c', 'a'])
      assert.deepEqual(await of('g', { start: { after: ['a'] } }), ['b', 'c'])
      assert.deepEqual(await of('g', { start: { offset: 2 } }), ['c'])
    })

    it('are narrowed as other instances are', async () => {
      await using store = await storeWithMembers()
      const of = (...conditions: Condition[]) =>
        list(store, things, { conditions, ...membersOf('g') })

      assert.deepEqual(await of(is('name', 'eq', 'x')), ['a', 'b'])
      assert.deepEqual(await of(is('note', 'like', 't*')), ['b', 'c'])
      assert.deepEqual(await of(is('id', 'ne', 'a'), is('name', 'eq', 'x')), ['b'])
      assert.deepEqual(await of(is('status.type', 'eq', 'NEW', 'OLD')), ['a', 'b', 'c'])
      const found = await list(store, things, { searchTerms: ['three'], ...membersOf('g') })
      assert.deepEqual(found, ['c'])
    })

    it('are counted', async () => {
      await using store = await storeWithMembers()
      const count = (reach: AccountReach, ...conditions: Condition[]) =>
        store.read(reach, (reader) =>
          reader.count(things, null, { conditions, searchTerms: [], ...membersOf('g') }),
        )

      assert.equal(await count(ours), 3)
      assert.equal(await count(ours, is('name', 'eq', 'x')), 2)
      assert.equal(await count(theirs), 0)
      assert.equal(await count(everyAccount), 3)
    })
  })

  describe('nested lists', () => {
    it('has the instances of one parent, or of every parent where none is named', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        for (const [parent, id] of [
          ['b', 'p1'],
          ['a', 'p1'],
          ['a', 'p2'],
        ] as const) {
          await tx.in(ours).save(pieces, { id, parent }, aPiece(id, { rank: 1 }), null)
        }
      })
      const places = (parent: string | null) =>
        store.read(ours, async (reader) =>
          (await reader.list(pieces, parent, query({ sort: [by('rank', 'desc'), byId] }))).map(
            (stored) => `${stored.parent}/${stored.id}`,
          ),
        )

      assert.deepEqual(await places('a'), ['a/p1', 'a/p2'])
      assert.deepEqual(await places('c'), [])
      assert.deepEqual(await places(null), ['a/p1', 'b/p1', 'a/p2'])
    })
  })
}

const byId = by('id', 'asc')

function is(path: string, operator: Condition['operator'], ...values: Scalar[]): Condition {
  return { path: path.split('.'), operator, values }
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function query(parts: Partial<Query & RowFilter>): Query & RowFilter {
  return {
    conditions: [],
    searchTerms: [],
    sort: [byId],
    start: { offset: 0 },
    limit: 1000,
    ...parts,
  }
}

async function list(
  store: Store,
  collection: Collection,
  parts: Partial<Query & RowFilter>,
): Promise<readonly string[]> {
  const found = await store.read(ours, (reader) => reader.list(collection, null, query(parts)))
  return found.map(({ id }) => id)
}

function ids(store: Store, ...conditions: Condition[]): Promise<readonly string[]> {
  return list(store, things, { conditions })
}

function search(store: Store, text: string): Promise<readonly string[]> {
  return list(store, things, { searchTerms: fold(text).split(' ') })
}

function sorted(store: Store, sort: readonly SortKey[]): Promise<readonly string[]> {
  const total = sort.at(-1)?.path[0] === 'id' ? sort : [...sort, byId]
  return list(store, things, { sort: total })
}

/** The values by which an instance is sorted, as a cursor holds them. */
async function sortValues(
  store: Store,
  id: string,
  sort: readonly SortKey[],
): Promise<readonly Scalar[]> {
  const found = await store.read(ours, (reader) => reader.find(things, { id }))
  const instance = JSON.parse(found?.doc ?? '{}')
  return sort.map(({ path }) => path.reduce((value, name) => value[name], instance))
}
