import fc from 'fast-check'
import { accountId, everyAccount } from '../../src/core/account.ts'
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
import { aPiece, aThing, pieces, things } from '../conformance/sample-collections.ts'

/** Whose the instances are. */
export const accounts = [accountId('a'), accountId('b')] as const

/** An instance to be saved. */
export interface Row {
  readonly collection: Collection
  readonly account: (typeof accounts)[number]
  readonly parent: string | null
  readonly instance: JsonObject & { readonly id: string }
  readonly hidden: JsonObject | null
}

/** Characters that storages get wrong: wildcards, quotes, combining, beyond the BMP, of several cases. */
const letters = [...'ab%_*?[]"\'\\$.^ éÉßſİıΣς\u0301\u0345🚀😀\uff5e\ufffd\u{10ffff}\n\u0001AB0-:(']
const shortText = fc
  .array(fc.constantFrom(...letters), { maxLength: 4 })
  .map((parts) => parts.join(''))
/** Sentences whose words share parts, some of them frequent. */
const samples = [
  'parcel',
  'PARSE',
  'Straße',
  'grass',
  'and',
  'İstanbul',
  'ΟΔΟΣ',
  'οδός',
  '東京都',
  '京都',
  '"or"',
  'not*',
  '🚀🚀x',
  'a:b',
  "o'clock",
  '50%',
  'cafe\u0301',
  'near(',
  'x',
] as const
const sentence = fc
  .array(fc.constantFrom(...samples), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(' '))
const someText = fc.oneof(
  { weight: 6, arbitrary: shortText },
  { weight: 6, arbitrary: sentence },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }).filter(isStored) },
  {
    weight: 1,
    arbitrary: fc.tuple(shortText, shortText).map(([a, b]) => a + 'x'.repeat(400) + b),
  },
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
  createdAt: someTime,
})
const hidden: fc.Arbitrary<JsonObject | null> = maybe(
  fc.record({ secret: shortText, inner: fc.record({ pin: shortText }) }),
)
const id = fc.oneof(
  fc.constantFrom(...'abcdefghijkABC019_.~-'),
  fc.stringMatching(/^[a-kABC019_.~-]{2}$/),
)
const account = fc.constantFrom(...accounts)
const thing: fc.Arbitrary<Row> = fc.record({ account, id, fields, hidden }).map((one) => ({
  collection: things,
  account: one.account,
  parent: null,
  instance: { ...aThing(one.id, one.fields), id: one.id },
  hidden: one.hidden,
}))
const pieceFields = fc.record({ name: maybe(someText), rank: maybe(someInteger) })
const piece: fc.Arbitrary<Row> = fc
  .record({ account, id, parent: fc.constantFrom('x', 'y'), fields: pieceFields })
  .map((one) => ({
    collection: pieces,
    account: one.account,
    parent: one.parent,
    instance: { ...aPiece(one.id, one.fields), id: one.id },
    hidden: null,
  }))

/** What a store holds: things and pieces of several accounts, with each key once. */
export function worldOf(minLength: number, maxLength: number): fc.Arbitrary<readonly Row[]> {
  const row = fc.oneof({ weight: 3, arbitrary: thing }, { weight: 1, arbitrary: piece })
  const selector = (one: Row): string =>
    `${one.collection.name} ${one.account} ${one.parent} ${one.instance.id}`
  return fc.uniqueArray(row, { selector, minLength, maxLength, size: 'max' })
}

const direction = fc.constantFrom('asc' as const, 'desc' as const)

function orderBy(...paths: readonly string[]): fc.Arbitrary<readonly SortKey[]> {
  const path = fc.constantFrom(...paths).map((name) => name.split('.'))
  const key: fc.Arbitrary<SortKey> = fc.record({ path, direction })
  const unique = fc.uniqueArray(key, { selector: (one) => one.path.join('.'), maxLength: 3 })
  return fc
    .tuple(unique, fc.oneof({ weight: 3, arbitrary: fc.constant('asc' as const) }, direction))
    .map(([keys, last]) => keys.concat({ path: ['id'], direction: last }))
}

const sortedOften = ['size', 'name', 'status.type', 'createdAt']
const sortedSeldom = ['note', 'weight', 'ready', 'madeAt', 'status.id', 'labels.x', 'code']
const orderOfThings = orderBy(...sortedOften, ...sortedSeldom, ...sortedOften)
const orderOfPieces = orderBy('name', 'rank', 'serial', 'createdAt')

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const
const pattern = fc
  .array(fc.oneof(shortText, fc.constantFrom('*', 'par', 'x')), { maxLength: 4 })
  .map((parts) => parts.join(''))
const conditionOnThings: fc.Arbitrary<Condition> = fc.oneof(
  comparing(['name', 'note', 'status.id', 'tags', 'secret', 'inner.pin', 'code'], someText),
  comparing(['status.type'], fc.constantFrom('NEW', 'OLD')),
  comparing(['size', 'ratings', 'size'], someInteger),
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
const conditionOnPieces: fc.Arbitrary<Condition> = fc.oneof(
  comparing(['name', 'serial'], someText),
  comparing(['rank'], someInteger),
  comparing(['id'], id),
)

/** A part of a text of the world, as someone might search for it. */
const cut = fc.record({
  row: fc.nat(),
  at: fc.nat(30),
  length: fc.integer({ min: 1, max: 10 }),
  written: fc.constantFrom('plain', 'upper', 'lower', 'decomposed', 'other' as const),
  other: shortText,
})
const offset = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(8) },
  { weight: 1, arbitrary: fc.nat(200) },
  { weight: 1, arbitrary: fc.constantFrom(1e6, 999_999_999_000, 2 ** 40) },
)
const place = fc.oneof(
  { weight: 3, arbitrary: fc.record({ offset }) },
  {
    weight: 2,
    arbitrary: fc.record({ behind: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }) }),
  },
)
const questionOf = <C extends Collection>(
  collection: C,
  parents: readonly (string | null)[],
  sort: fc.Arbitrary<readonly SortKey[]>,
  condition: fc.Arbitrary<Condition>,
) =>
  fc.record({
    collection: fc.constant(collection),
    parent: fc.constantFrom(...parents),
    account: fc.constantFrom(accounts[0], accounts[0], accounts[1], everyAccount),
    conditions: fc.array(condition, { maxLength: 3 }),
    words: fc.oneof(
      { weight: 2, arbitrary: fc.constant<readonly Cut[]>([]) },
      { weight: 2, arbitrary: fc.array<Cut>(cut, { maxLength: 3 }) },
    ),
    sort,
    place,
    limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(1000)),
    membersOf: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.constantFrom('x', 'y') },
    ),
  })

/** A question about a world: what depends on its rows is still to be looked up in it. */
export const question = fc.oneof(
  { weight: 5, arbitrary: questionOf(things, [null], orderOfThings, conditionOnThings) },
  { weight: 1, arbitrary: questionOf(pieces, ['x', 'y', null], orderOfPieces, conditionOnPieces) },
)
/** What `question` makes. */
export type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

/** The query that a question is in a world. */
export function queryIn(world: readonly Row[], asked: Question): Query & RowFilter {
  const rows = world.filter(({ collection }) => collection.name === asked.collection.name)
  const at = (index: number): JsonObject => rows[index % rows.length]?.instance ?? {}
  const { conditions, sort, limit } = asked
  const valuesAt = (behind: readonly number[]): readonly Scalar[] =>
    sort.map(({ path }, key) => scalarAt(at(behind[key] ?? 0), path))
  // A cursor names an instance, whose identifier is never null.
  const startAfter = (behind: readonly number[]): Query['start'] =>
    rows.length === 0 ? { offset: 0 } : { after: valuesAt(behind) }
  const start = 'behind' in asked.place ? startAfter(asked.place.behind) : asked.place
  const words = asked.words.flatMap((one) => wordsIn(at(one.row), one))
  const query = { conditions, searchTerms: words, sort, start, limit }
  const { membersOf } = asked
  return asked.collection === things && membersOf !== null
    ? { ...query, members: { entries: pieces, parent: membersOf } }
    : query
}

/** Saves rows, in order. */
export async function fill(store: Store, rows: readonly Row[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const { collection, account: owner, parent, instance, hidden: beside } of rows) {
      await tx.in(owner).save(collection, { id: instance.id, parent }, instance, beside)
    }
  })
}

/** The value of a sort key, as a cursor has it. */
export function scalarAt(instance: JsonObject, path: readonly string[]): Scalar {
  const value: unknown = path.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | null)?.[name] ?? null,
    instance,
  )
  return typeof value === 'object' ? null : (value as Scalar)
}

type Cut = typeof cut extends fc.Arbitrary<infer C> ? C : never

function wordsIn(instance: JsonObject, { at, length, written, other }: Cut): readonly string[] {
  const texts = [instance['name'], instance['note']].filter((text) => typeof text === 'string')
  const characters = [...texts.join('\n')]
  const begin = characters.length === 0 ? 0 : at % characters.length
  const part = characters.slice(begin, begin + length).join('')
  return fold(rewritten(part, written, other))
    .split(/\s+/u)
    .filter((word) => word !== '')
}

function rewritten(text: string, written: Cut['written'], other: string): string {
  switch (written) {
    case 'plain':
      return text
    case 'upper':
      return text.toUpperCase()
    case 'lower':
      return text.toLowerCase()
    case 'decomposed':
      return text.normalize('NFD')
    case 'other':
      return other
  }
}

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
