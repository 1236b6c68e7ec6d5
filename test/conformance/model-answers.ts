import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { AccountReach } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { fold, type Query } from '../../src/core/declaration/query.ts'
import type { RowFilter, Store } from '../../src/core/ports/store.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { sampleCollections, things } from './sample-collections.ts'
import { trials } from '../support/trials.ts'
import {
  accounts,
  fill,
  queryIn,
  question,
  type Row,
  scalarAt,
  worldOf,
} from '../stores/random-queries.ts'

/** How much is tried. */
export interface Trials {
  readonly worlds: number
  readonly questionsEach: number
  readonly walksEach: number
  readonly wordsEach: number
  /** How many are asked side by side: a store behind a connection waits for most of the time. */
  readonly atOnce: number
}

/** How much a run tries at least, questions, walks and words together. */
const casesMin = trials(10_000)

/** A store answers every question as the store in memory does. */
export function answersAsTheModel(
  name: string,
  open: () => Promise<Store>,
  { worlds, questionsEach, walksEach, wordsEach, atOnce }: Trials,
  skip: string | false = false,
): void {
  let cases = 0
  const many = <T>(one: fc.Arbitrary<T>, check: (value: T) => Promise<void>, count: number) =>
    fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: atOnce, maxLength: atOnce }), async (values) => {
        await Promise.all(values.map(check))
        cases += values.length
      }),
      { numRuns: Math.ceil(count / atOnce) },
    )

  describe(`the ${name} store, beside the model`, { skip }, () => {
    for (const [index, world] of fc.sample(worldOf(25, 50), worlds).entries()) {
      it(`gives the answers of the model to every question about random world ${index}`, async () => {
        await using stores = await storesWith(open, world)
        const { model, other } = stores

        const check = async (asked: Question): Promise<void> => {
          const query = queryIn(world, asked)
          const { account, collection, parent } = asked
          const [expected, given] = await Promise.all(
            [model, other].map((store) => answer(store, account, collection, parent, query)),
          )
          assert.deepEqual(given, expected)
        }

        await many(question, check, questionsEach)
      })

      it(`gives all of a list by its cursors in random world ${index}`, async () => {
        await using stores = await storesWith(open, world)

        const check = async (asked: Question): Promise<void> => {
          const query = { ...queryIn(world, asked), start: { offset: 0 }, limit: 1000 }
          const size = 1 + (asked.limit % 7)
          const whole = await stores.model.read(accounts[0], (reader) =>
            reader.list(asked.collection, 'x', query),
          )
          const texts = whole.map(({ doc }) => doc)
          for (const store of stores.all) {
            assert.deepEqual(await byCursors(store, asked.collection, query, size), texts)
          }
        }

        await many(question, check, walksEach)
      })

      it(`finds a text by any part of any of its words in random world ${index}`, async () => {
        await using stores = await storesWith(open, world)
        const searched = stores.kept.filter(({ collection }) => collection === things)

        const check = async ([which, from, length]: [number, number, number]): Promise<void> => {
          const row = searched[which % searched.length]
          const text = fold(String(row?.instance['note'] ?? row?.instance['name'] ?? ''))
          const begin = from % (text.length + 1)
          const part = [...text].slice(begin, begin + 1 + (length % 10))
          const [word = ''] = fold(part.join('')).split(/\s/u)
          const query = { ...everything, searchTerms: word === '' ? [] : [word] }
          for (const store of stores.all) {
            const found = await store.read(row?.account ?? accounts[0], (reader) =>
              reader.list(things, null, query),
            )
            assert.ok(
              found.some(({ id }) => id === row?.instance.id),
              `${word} in ${text}`,
            )
          }
        }

        await many(fc.tuple(fc.nat(), fc.nat(), fc.nat()), check, wordsEach)
      })
    }

    it(`was asked ${casesMin} times at least`, (t) => {
      t.diagnostic(`${cases} cases`)

      assert.ok(cases >= casesMin, `${cases} cases`)
    })
  })
}

/** What a question asks. */
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

const everything: Query = {
  conditions: [],
  searchTerms: [],
  sort: [{ path: ['id'], direction: 'asc' }],
  start: { offset: 0 },
  limit: 1000,
}

interface Stores extends AsyncDisposable {
  readonly model: Store
  readonly other: Store
  readonly all: readonly Store[]
  /** What they hold. */
  readonly kept: readonly Row[]
}

/** Stores with the same instances, of which some were changed and some removed. */
async function storesWith(open: () => Promise<Store>, world: readonly Row[]): Promise<Stores> {
  await using opened = new AsyncDisposableStack()
  const model = opened.use(memoryStore(sampleCollections))
  const other = opened.use(await open())
  const all = [model, other]
  const [early, late] = [world.slice(0, world.length / 2), world.slice(world.length / 2)]
  const again = early.filter((_, index) => index % 3 === 0)
  const [gone, ...back] = again

  for (const store of all) await fill(store, early.map(otherwise))
  for (const store of all) {
    await fill(store, early)
    await remove(store, again)
    await fill(store, [...late, ...back])
  }
  const kept = world.filter((row) => row !== gone)
  const owned = opened.move()
  return { model, other, all, kept, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The same row as it was before it was changed. */
function otherwise(row: Row): Row {
  return { ...row, instance: { ...row.instance, note: `before ${row.instance.id}`, size: 9 } }
}

async function remove(store: Store, rows: readonly Row[]): Promise<void> {
  await store.transact(async (tx) => {
    for (const { collection, account, parent, instance } of rows) {
      await tx.in(account).remove(collection, { id: instance.id, parent })
    }
  })
}

function answer(
  store: Store,
  account: AccountReach,
  collection: Collection,
  parent: string | null,
  query: Query & RowFilter,
): Promise<unknown> {
  return store.read(account, async (reader) => ({
    list: await reader.list(collection, parent, query),
    count: await reader.count(collection, parent, query),
  }))
}

/** The texts of a whole list, page by page. */
async function byCursors(
  store: Store,
  collection: Collection,
  query: Query & RowFilter,
  limit: number,
): Promise<readonly string[]> {
  const found: string[] = []
  let start: Query['start'] = { offset: 0 }
  for (;;) {
    const asked = { ...query, start, limit }
    const page = await store.read(accounts[0], (reader) => reader.list(collection, 'x', asked))
    const last = page.at(-1)
    if (last === undefined) return found
    found.push(...page.map(({ doc }) => doc))
    const instance: JsonObject = JSON.parse(last.doc)
    start = { after: query.sort.map(({ path }) => scalarAt(instance, path)) }
  }
}
