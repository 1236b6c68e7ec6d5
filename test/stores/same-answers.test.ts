import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accountId, type AccountReach, everyAccount } from '../../src/core/account.ts'
import type { JsonObject } from '../../src/core/json.ts'
import {
  type Condition,
  fold,
  type Query,
  type Scalar,
  type SortKey,
} from '../../src/core/query.ts'
import type { Filter, Store } from '../../src/core/store.ts'
import { memoryStore } from '../../src/stores/memory/memory-store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import {
  aPiece,
  aThing,
  pieces,
  sampleCollections,
  things,
} from '../conformance/sample-collections.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const runs = 300
const instancesMax = 25
const queriesEach = 8

describe('SQLite and memory', () => {
  it('give the same answer, in the same order, to every query', async () => {
    await using directory = await temporaryDirectory()
    await using sqlite = await sqliteStore(directory.file('nuncio.db'), sampleCollections)

    await fc.assert(
      fc.asyncProperty(world, fc.array(aQuery, { minLength: queriesEach }), async (rows, asked) => {
        await using memory = memoryStore(sampleCollections)
        await fill(memory, rows)
        await fill(sqlite, rows)
        for (const query of asked) {
          for (const account of [accounts[0], everyAccount] as const) {
            await compare(memory, sqlite, account, query)
          }
        }
      }),
      { numRuns: runs },
    )
  })

  it('give the same pages behind every instance of an order', async () => {
    await using directory = await temporaryDirectory()
    await using sqlite = await sqliteStore(directory.file('nuncio.db'), sampleCollections)

    await fc.assert(
      fc.asyncProperty(world, order, async (rows, sort) => {
        await using memory = memoryStore(sampleCollections)
        await fill(memory, rows)
        await fill(sqlite, rows)
        const all = { conditions: [], words: [], sort, start: { offset: 0 }, limit: 1000 }
        const listed = await memory.read(accounts[0], (reader) => reader.list(things, null, all))
        for (const { doc } of listed) {
          const instance: JsonObject = JSON.parse(doc)
          const after = sort.map(({ path }) => scalarAt(instance, path))
          await compare(memory, sqlite, accounts[0], { ...all, start: { after }, limit: 3 })
        }
      }),
      { numRuns: runs / 4 },
    )
  })

  it('keep the same after any series of writes', async () => {
    await using directory = await temporaryDirectory()
    await using sqlite = await sqliteStore(directory.file('nuncio.db'), sampleCollections)

    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 40 }), async (writes) => {
        await using memory = memoryStore(sampleCollections)
        await empty(sqlite)
        const outcomes = await Promise.all([perform(memory, writes), perform(sqlite, writes)])

        assert.deepEqual(outcomes[1], outcomes[0])
        const all = { ...everything, sort: [{ path: ['id'], direction: 'asc' as const }] }
        await compare(memory, sqlite, everyAccount, all)
      }),
      { numRuns: runs / 3 },
    )
  })
})

const accounts = [accountId('a'), accountId('b')] as const

/** Characters that storages get wrong: wildcards, quotes, combining, beyond the BMP, of several cases. */
const letters = [...'ab%_*?[]"\'\\$.^ éÉßſİıΣς\u0301\u0345🚀😀\uff5e\ufffd\u{10ffff}\n\u0001AB0']
const shortText = fc
  .array(fc.constantFrom(...letters), { maxLength: 4 })
  .map((parts) => parts.join(''))
const longText = fc.tuple(shortText, shortText).map(([a, b]) => a + 'x'.repeat(5000) + b)
const someText = fc.oneof(
  { weight: 12, arbitrary: shortText },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).filter(isStored) },
  { weight: 1, arbitrary: longText },
)
const someNumber = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, -0.5, 1e21, -1e300, 5e-324, 2 ** 53 - 1, -(2 ** 53) + 1, 1e20, 123456.789),
)
const someInteger = fc.integer({ min: -2, max: 4 })
const someTime = fc.constantFrom('2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z')
const aName = fc.oneof(shortText, fc.constantFrom('x', '$', 'toString', '__proto__x', '0', '#'))
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary)

const fields: fc.Arbitrary<JsonObject> = fc.record({
  name: maybe(someText),
  note: maybe(someText),
  size: maybe(someInteger),
  weight: maybe(someNumber),
  ready: maybe(fc.boolean()),
  madeAt: maybe(someTime),
  status: fc.record({ id: maybe(shortText), type: fc.constantFrom('NEW', 'OLD') }),
  tags: maybe(fc.array(shortText, { maxLength: 3 })),
  ratings: fc.array(someInteger, { maxLength: 3 }),
  labels: fc.dictionary(aName, maybe(shortText), { maxKeys: 3, noNullPrototype: true }),
})
const hidden: fc.Arbitrary<JsonObject | null> = maybe(
  fc.record({ secret: shortText, inner: fc.record({ pin: shortText }) }),
)
const id = fc.constantFrom(...'abcdefghijkABC019_.~-')
const entry = maybe(fc.constantFrom('p', 'q'))
const row = fc.record({ account: fc.constantFrom(...accounts), id, fields, hidden, entry })
const world = fc.uniqueArray(row, {
  selector: (one) => `${one.account} ${one.id}`,
  maxLength: instancesMax,
})
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never

const sortable = ['name', 'note', 'size', 'weight', 'ready', 'madeAt', 'status.type', 'status.id']
const direction = fc.constantFrom('asc' as const, 'desc' as const)
const sortKey: fc.Arbitrary<SortKey> = fc.record({
  path: fc.constantFrom(...sortable, 'labels.x').map((path) => path.split('.')),
  direction,
})
const order: fc.Arbitrary<readonly SortKey[]> = fc
  .tuple(fc.array(sortKey, { maxLength: 3 }), direction)
  .map(([keys, last]) => keys.concat({ path: ['id'], direction: last }))

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const
const pattern = fc
  .array(fc.oneof(shortText, fc.constant('*')), { maxLength: 4 })
  .map((parts) => parts.join(''))
const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparing(['name', 'note', 'status.id', 'tags', 'secret', 'inner.pin'], someText),
  comparing(['status.type'], fc.constantFrom('NEW', 'OLD')),
  comparing(['size', 'ratings'], someInteger),
  comparing(['weight'], someNumber),
  comparing(['ready'], fc.boolean()),
  comparing(['madeAt', 'createdAt'], someTime),
  comparing(['id'], id),
  fc.record({
    path: aName.map((name) => ['labels', name]),
    operator: fc.constantFrom(...operators),
    values: fc.array(fc.oneof(shortText, fc.constant(null)), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    path: fc.constantFrom(['name'], ['note'], ['status', 'id'], ['labels', 'x'], ['secret']),
    operator: fc.constant('like' as const),
    values: pattern.map((text) => [text]),
  }),
)
const aQuery: fc.Arbitrary<Query & Filter> = fc.record(
  {
    conditions: fc.array(condition, { maxLength: 3 }),
    words: fc.array(shortText.map((text) => fold(text).trim()).filter(Boolean), { maxLength: 1 }),
    sort: order,
    start: fc.record({ offset: fc.nat(5) }),
    limit: fc.integer({ min: 1, max: instancesMax }),
    members: fc.record({ entries: fc.constant(pieces), parent: fc.constantFrom('p', 'q') }),
  },
  { requiredKeys: ['conditions', 'words', 'sort', 'start', 'limit'] },
)

const write = fc.record({
  kind: fc.constantFrom('save', 'save', 'save', 'remove', 'nested', 'fail', 'erase' as const),
  account: fc.constantFrom(...accounts),
  id: fc.constantFrom('x', 'y', 'z'),
  code: maybe(fc.constantFrom('red', 'blue')),
  size: maybe(someInteger),
  readFirst: fc.boolean(),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

const everything = { conditions: [], words: [], start: { offset: 0 }, limit: 1000 }

function comparing(paths: readonly string[], value: fc.Arbitrary<Scalar>): fc.Arbitrary<Condition> {
  return fc.record({
    path: fc.constantFrom(...paths).map((path) => path.split('.')),
    operator: fc.constantFrom(...operators),
    values: fc.array(fc.oneof({ weight: 5, arbitrary: value }, fc.constant(null)), {
      minLength: 1,
      maxLength: 3,
    }),
  })
}

/** What the edge lets through: no lone surrogates, no U+0000. */
function isStored(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

async function fill(store: Store, rows: readonly Row[]): Promise<void> {
  await empty(store)
  await store.transact(async (tx) => {
    for (const one of rows) {
      const instance = aThing(one.id, one.fields)
      await tx.in(one.account).save(things, { id: one.id }, instance, one.hidden)
      const parent = one.entry
      if (parent === null) continue
      await tx.in(one.account).save(pieces, { id: one.id, parent }, aPiece(one.id), null)
    }
  })
}

async function empty(store: Store): Promise<void> {
  await store.transact(async (tx) => {
    for (const account of accounts) await tx.erase(account)
  })
}

async function compare(
  memory: Store,
  sqlite: Store,
  account: AccountReach,
  query: Query & Filter,
): Promise<void> {
  const ask = (store: Store) =>
    store.read(account, async (reader) => ({
      list: await reader.list(things, null, query),
      count: await reader.count(things, null, query),
      nested: await reader.list(pieces, null, { ...everything, sort: [byId] }),
    }))
  assert.deepEqual(await ask(sqlite), await ask(memory))
}

const byId: SortKey = { path: ['id'], direction: 'desc' }

/** Does each write in a transaction of its own, all at once, and tells what became of them. */
async function perform(store: Store, writes: readonly Write[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(writes.map((one) => performOne(store, one)))
  return outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? String(outcome.value) : String(outcome.reason),
  )
}

function performOne(store: Store, { kind, account, id, code, size, readFirst }: Write) {
  return store.transact(async (tx): Promise<unknown> => {
    const writer = tx.in(account)
    if (readFirst) await writer.find(things, { id })
    if (kind === 'remove') return writer.remove(things, { id })
    if (kind === 'erase') return tx.erase(account)
    if (kind === 'nested') {
      const piece = aPiece(id, { rank: size, serial: code })
      return (await writer.save(pieces, { id, parent: id }, piece, null)).revision
    }
    const { revision } = await writer.save(things, { id }, aThing(id, { code, size }), null)
    if (kind === 'fail') throw new Error(`undone ${revision}`)
    return revision
  })
}

function scalarAt(instance: JsonObject, path: readonly string[]): Scalar {
  const value: unknown = path.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | null)?.[name] ?? null,
    instance,
  )
  return typeof value === 'object' ? null : (value as Scalar)
}
