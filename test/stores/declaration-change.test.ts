import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { collection, type Collection } from '../../src/core/declaration/collection.ts'
import { DeclarationError } from '../../src/core/declaration/declaration-error.ts'
import {
  array,
  boolean,
  choice,
  integer,
  map,
  number,
  object,
  reference,
  text,
  timestampField,
  type Fields,
} from '../../src/core/declaration/field.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Log } from '../../src/core/ports/log.ts'
import { fold, type Condition, type Query, type SortKey } from '../../src/core/declaration/query.ts'
import { where, type Store, type Stored } from '../../src/core/ports/store.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
const at = '2026-01-01T00:00:00.000Z'

function shops(fields: Fields, more: Partial<Collection> = {}): Collection {
  const declared = collection({ name: 'shops', noun: 'shop', description: 'A shop.', fields })
  return { ...declared, ...more }
}

/** Saves instances under the identifiers s0, s1, … */
async function fill(store: Store, of: Collection, instances: readonly JsonObject[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const [index, fields] of instances.entries()) {
      const id = `s${String(index).padStart(4, '0')}`
      const instance = { id, ...fields, createdAt: at, updatedAt: at }
      await tx.in(ours).save(of, { id, parent: 'p' }, instance, null)
    }
  })
}

function listed(store: Store, of: Collection, query: Partial<Query> = {}) {
  return store.read(ours, (reader) => reader.list(of, null, { ...where([], 1000), ...query }))
}

function texts(found: readonly Stored[]): readonly string[] {
  return found.map(({ doc, revision }) => `${doc} ${revision}`)
}

/** A file that has these instances under one declaration, to be opened with another. */
async function fileWith(of: Collection, instances: readonly JsonObject[]) {
  const directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  await using store = await sqliteStore(file, [of])
  await fill(store, of, instances)
  return { file, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() }
}

/** Opens a store that sees to no older rows until `go` is called, and to one slice with each call. */
async function openHeld(file: string, collections: readonly Collection[]) {
  const events: string[] = []
  let held = Promise.withResolvers<void>()
  let waiting = Promise.withResolvers<void>()
  const log: Log = (_, event) => {
    events.push(event)
    if (event === 'completed instances') waiting.resolve()
  }
  const pause = () => {
    waiting.resolve()
    return held.promise
  }
  const store = await sqliteStore(file, collections, log, {
    pace: { rowsAtStart: 0, pause },
  })
  const go = () => {
    const before = held
    held = Promise.withResolvers()
    waiting = Promise.withResolvers()
    before.resolve()
  }
  const isDone = (): boolean => events.includes('completed instances')
  const next = async (): Promise<void> => {
    await waiting.promise
    go()
    await waiting.promise
  }
  return {
    store,
    events,
    /** Sees to the next slice, to its end. */
    next,
    /** Sees to all that is left. */
    finish: async () => {
      while (!isDone()) await next()
    },
    [Symbol.asyncDispose]: async () => {
      const closed = store[Symbol.asyncDispose]()
      go()
      await closed
    },
  }
}

const before = shops({
  name: text({ nullable: true }),
  size: integer({ nullable: true }),
  place: object({ town: text({ nullable: true }) }, { nullable: true }),
  lines: array(object({ what: text({ required: true }) }), { default: [] }),
  stock: map(object({ count: integer({ required: true }) }), { default: {} }),
  gone: text({ nullable: true }),
})

const after = shops(
  {
    state: choice(['OPEN', 'CLOSED'], { default: 'OPEN', indexed: true }),
    name: text({ nullable: true }),
    motto: text({ default: "It's É" }),
    size: number({ nullable: true, indexed: true }),
    rank: integer({ nullable: true, unique: true }),
    place: object(
      { town: text({ nullable: true }), zip: text({ default: '00000', indexed: true }) },
      { nullable: true },
    ),
    lines: array(object({ what: text({ required: true }), amount: integer({ default: 1 }) }), {
      default: [],
    }),
    stock: map(object({ count: integer({ required: true }), unit: text({ default: 'kg' }) }), {
      default: {},
    }),
    tags: array(text(), { default: ['new', 'plain'] }),
    ready: boolean({ default: true }),
    since: timestampField({ nullable: true }),
  },
  { searchedBy: ['name', 'motto'], removedFields: ['gone'] },
)

const instances: readonly JsonObject[] = Array.from({ length: 450 }, (_, index) => ({
  name: index % 7 === 0 ? null : `Shop ${index % 10}`,
  size: index % 5 === 0 ? null : index % 20,
  place: index % 3 === 0 ? null : { town: `Town ${index % 4}` },
  lines: index % 2 === 0 ? [] : [{ what: 'bread' }],
  stock: index % 2 === 0 ? {} : { 'salt.b': { count: index } },
  gone: 'x',
}))

/** What an instance is like under the declaration that came after. */
function renewed({ name = null, size = null, place, lines, stock }: JsonObject): JsonObject {
  return {
    state: 'OPEN',
    name,
    motto: "It's É",
    size,
    rank: null,
    place: place === null ? null : { ...(place as JsonObject), zip: '00000' },
    lines: (lines as JsonObject[]).map((line) => ({ ...line, amount: 1 })),
    stock: Object.fromEntries(
      Object.entries(stock as Record<string, JsonObject>).map(([key, value]) => [
        key,
        { ...value, unit: 'kg' },
      ]),
    ),
    tags: ['new', 'plain'],
    ready: true,
    since: null,
  }
}

const conditions: readonly (readonly Condition[])[] = [
  [],
  [{ path: ['state'], operator: 'eq', values: ['OPEN'] }],
  [{ path: ['state'], operator: 'ne', values: ['OPEN'] }],
  [{ path: ['motto'], operator: 'like', values: ["It's*"] }],
  [{ path: ['size'], operator: 'gte', values: [15] }],
  [{ path: ['rank'], operator: 'eq', values: [null] }],
  [{ path: ['place', 'zip'], operator: 'eq', values: ['00000'] }],
  [{ path: ['place', 'zip'], operator: 'eq', values: [null] }],
  [{ path: ['stock', 'salt.b', 'unit'], operator: 'eq', values: ['kg'] }],
  [{ path: ['stock', 'salt.b', 'count'], operator: 'lt', values: [99] }],
  [{ path: ['tags'], operator: 'eq', values: ['plain'] }],
  [{ path: ['tags'], operator: 'ne', values: ['plain'] }],
  [{ path: ['tags'], operator: 'eq', values: [null] }],
  [{ path: ['ready'], operator: 'eq', values: [true] }],
  [{ path: ['since'], operator: 'ne', values: [null] }],
]
const sorts: readonly (readonly SortKey[])[] = [
  [{ path: ['id'], direction: 'desc' }],
  [
    { path: ['place', 'zip'], direction: 'desc' },
    { path: ['size'], direction: 'asc' },
    { path: ['id'], direction: 'asc' },
  ],
]
const queries: readonly Partial<Query>[] = [
  ...conditions.map((each) => ({ conditions: each })),
  ...sorts.map((sort) => ({ sort })),
  { searchTerms: [fold('é')] },
  { searchTerms: [fold('shop'), fold("IT'S")] },
]

describe('instances of an earlier declaration', () => {
  for (const { title, parent } of [
    { title: 'at the root', parent: null },
    { title: 'in a nested collection', parent: 'malls' },
  ]) {
    it(`answer as the new one has them, ${title}: before, while and after they are written anew`, async () => {
      const malls = collection({ name: 'malls', noun: 'mall', description: 'A mall.', fields: {} })
      const [old, now] = [
        { ...before, parent },
        { ...after, parent },
      ]
      await using directory = await temporaryDirectory()
      const file = directory.file('nuncio.db')
      {
        await using store = await sqliteStore(file, [malls, old])
        await fill(store, old, instances)
      }
      await using oracle = memoryStore([malls, now])
      await fill(oracle, now, instances.map(renewed))
      await using held = await openHeld(file, [malls, now])

      for (const when of ['before', 'while', 'after']) {
        for (const query of queries) {
          const found = await listed(held.store, now, query)
          const expected = await listed(oracle, now, query)
          assert.deepEqual(texts(found), texts(expected), `${when} ${JSON.stringify(query)}`)
        }
        await (when === 'before' ? held.next() : held.finish())
      }
    })
  }

  it('are changed as the new one has them, whether written anew or not', async () => {
    await using earlier = await fileWith(before, instances)
    await using held = await openHeld(earlier.file, [after])
    await held.next()

    for (const id of ['s0001', 's0449']) {
      const stored = await held.store.transact(async (tx) => {
        const found = await tx.in(ours).find(after, { id })
        const instance = { ...JSON.parse(found?.doc ?? ''), state: 'CLOSED' }
        return tx.in(ours).save(after, { id }, instance, null)
      })
      assert.equal(JSON.parse(stored.doc).motto, "It's É")
    }
    await held.finish()

    const closed = await listed(held.store, after, {
      conditions: [{ path: ['state'], operator: 'eq', values: ['CLOSED'] }],
    })
    assert.deepEqual(
      closed.map(({ id }) => id),
      ['s0001', 's0449'],
    )
  })

  it('are written anew in slices that go on where the last process stopped', async () => {
    await using earlier = await fileWith(before, instances)
    {
      await using held = await openHeld(earlier.file, [after])
      await held.next()
    }
    await using held = await openHeld(earlier.file, [after])

    await held.next()
    await held.next()

    assert.deepEqual(held.events, ['completing instances', 'completed instances'])
    const found = await listed(held.store, after)
    assert.deepEqual(
      found.map(({ doc }) => doc),
      instances.map((each, index) => {
        const id = `s${String(index).padStart(4, '0')}`
        return JSON.stringify({ id, ...renewed(each), createdAt: at, updatedAt: at })
      }),
    )
  })

  it('are finished under the declaration before, where it changes again in between', async () => {
    const third = shops({
      ...after.fields,
      state: choice(['OPEN', 'CLOSED'], { default: 'CLOSED' }),
    })
    await using earlier = await fileWith(before, instances)
    {
      await using held = await openHeld(earlier.file, [after])
      await held.next()
    }

    await using store = await sqliteStore(earlier.file, [third])

    const found = await listed(store, third)
    assert.ok(found.every(({ doc }) => JSON.parse(doc).state === 'OPEN'))
  })

  it('are written anew before the store answers, where they are few', async () => {
    const events: string[] = []
    await using earlier = await fileWith(before, instances)

    await using store = await sqliteStore(earlier.file, [after], (_, event) => events.push(event))

    assert.equal(events.at(-1), 'completed instances')
    assert.equal((await listed(store, after)).length, 450)
  })
})

/** Where a store is kept, to be opened under one declaration after another. */
interface Place extends AsyncDisposable {
  open(collections: readonly Collection[], log?: Log): Promise<Store>
}

const places: readonly (readonly [string, () => Promise<Place>, string | false])[] = [
  ['SQLite', filePlace, false],
  ['PostgreSQL', databasePlace, await noPostgres()],
]

async function filePlace(): Promise<Place> {
  const directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  return {
    open: (collections, log) => sqliteStore(file, collections, log),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

async function databasePlace(): Promise<Place> {
  const database = await testDatabase()
  return {
    open: (collections, log) => postgresStore(database.url, collections, log),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

for (const [kind, newPlace, skip] of places)
  describe(`a changed declaration in ${kind}`, { skip }, () => {
    /** A place that has these instances under one declaration, to be opened with another. */
    const placeWith = async (of: Collection, rows: readonly JsonObject[]): Promise<Place> => {
      const place = await newPlace()
      await using store = await place.open([of])
      await fill(store, of, rows)
      return place
    }

    it('answers as the new one has them, while they are written anew and after', async () => {
      await using earlier = await placeWith(before, instances)
      await using oracle = memoryStore([after])
      await fill(oracle, after, instances.map(renewed))
      const done = Promise.withResolvers<void>()
      await using store = await earlier.open([after], (_, event) => {
        if (event === 'completed instances') done.resolve()
      })

      for (const when of ['while', 'after']) {
        for (const query of queries) {
          const found = await listed(store, after, query)
          const expected = await listed(oracle, after, query)
          assert.deepEqual(texts(found), texts(expected), `${when} ${JSON.stringify(query)}`)
        }
        await done.promise
      }
    })

    const values = { name: 'Anna', size: 1.5, state: 'OPEN', tags: ['a'], place: { town: null } }
    const fields = {
      name: text({ nullable: true }),
      size: number({ nullable: true }),
      state: choice(['OPEN', 'CLOSED'], { nullable: true }),
      tags: array(text(), { default: [] }),
      place: object({ town: text({ nullable: true }) }, { nullable: true }),
    } as const
    const { name: _, ...unnamed } = fields

    const refused: readonly (readonly [string, Fields, RegExp])[] = [
      [
        'a field that is gone',
        unnamed,
        /^shops\.fields\.name: is no longer declared, and 1 instance \(s0000\) has a value for it\. Declare/,
      ],
      [
        'another kind',
        { ...fields, size: integer({ nullable: true }) },
        /^shops\.fields\.size: is declared as another kind, and 1 .* under a new name/,
      ],
      [
        'another kind of items',
        { ...fields, tags: array(integer(), { default: [] }) },
        /^shops\.fields\.tags: is declared as another kind/,
      ],
      [
        'a reference to what was no reference',
        { ...fields, name: reference('shops', { nullable: true }) },
        /^shops\.fields\.name: is declared as another kind/,
      ],
      [
        'null that is allowed no more',
        { ...fields, place: object({ town: text({ default: 'x' }) }, { nullable: true }) },
        /^shops\.fields\.place\.town: is no longer nullable, and 1 .* Give them a value first/,
      ],
      [
        'a value that is listed no more',
        { ...fields, state: choice(['CLOSED'], { nullable: true }) },
        /^shops\.fields\.state: no longer lists OPEN, and 1 .* has a value that is not listed/,
      ],
      [
        'a required field without a default',
        { ...fields, extra: text({ required: true }) },
        /^shops\.fields\.extra: is new, and 1 instance \(s0000\) has none\. Add a default/,
      ],
      [
        'a field that is shown no more',
        { ...fields, name: text({ writeOnly: true }) },
        /^shops\.fields\.name: was shown and is writeOnly now/,
      ],
    ]
    for (const [what, changed, message] of refused) {
      it(`is refused with the way out: ${what}`, async () => {
        await using earlier = await placeWith(shops(fields), [values])

        await assert.rejects(earlier.open([shops(changed)]), (error) => {
          assert.ok(error instanceof DeclarationError)
          const [fault] = error.faults
          assert.match(`${fault?.path}: ${fault?.detail}`, message)
          return error.faults.length === 1
        })

        await using store = await earlier.open([shops(fields)])
        assert.equal((await listed(store, shops(fields))).length, 1)
      })

      it(`is taken where nothing is lost: ${what}`, async () => {
        await using earlier = await placeWith(shops(fields), [])

        await using store = await earlier.open([shops(changed)])

        assert.deepEqual(await listed(store, shops(changed)), [])
      })
    }

    it('drops what it says is removed', async () => {
      const changed = shops(
        { ...unnamed, place: object({ zip: text({ nullable: true }) }, { nullable: true }) },
        { removedFields: ['name', 'place.town'] },
      )
      await using earlier = await placeWith(shops(fields), [values])

      await using store = await earlier.open([changed])

      const [found] = await listed(store, changed)
      assert.deepEqual(JSON.parse(found?.doc ?? ''), {
        id: 's0000',
        size: 1.5,
        state: 'OPEN',
        tags: ['a'],
        place: { zip: null },
        createdAt: at,
        updatedAt: at,
      })
    })

    it('may widen a kind, and narrow limits that only hold for what comes', async () => {
      const narrow = shops({ a: integer({ required: true }), b: choice(['X'], { default: 'X' }) })
      const wide = shops({ a: number({ required: true, maximum: 3 }), b: text({ default: 'X' }) })
      await using earlier = await placeWith(narrow, [{ a: 7, b: 'X' }])

      await using store = await earlier.open([wide])

      assert.equal((await listed(store, wide)).length, 1)
    })

    it('keeps what a collection has that is declared no more, and says so', async () => {
      const told: (readonly [string, unknown])[] = []
      await using earlier = await placeWith(shops(fields), [values])
      {
        await using _store = await earlier.open([], (_, event, detail) =>
          told.push([event, detail]),
        )
      }

      await using store = await earlier.open([shops(fields)])

      assert.deepEqual(told, [
        ['stored collection not declared', { collection: 'shops', instances: 1 }],
      ])
      assert.equal((await listed(store, shops(fields))).length, 1)
    })
  })
