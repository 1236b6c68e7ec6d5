import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contacts } from '../src/collections/contacts.ts'
import { messages } from '../src/collections/messages.ts'
import { accountId } from '../src/core/account.ts'
import type { Collection } from '../src/core/declaration/collection.ts'
import {
  type Condition,
  fold,
  type Query,
  type Scalar,
  type SortKey,
} from '../src/core/declaration/query.ts'
import { sqliteStore } from '../src/stores/sqlite/sqlite-store.ts'
import { figure, spread } from './figures.ts'
import { planOf } from './plan.ts'
import { aContact, aMessage, idOf } from './rows.ts'
import { scaleOnPostgres } from './scale/postgres.ts'

/**
 * `npm run bench:scale [rows] [runs]`: what lists, counts and searches cost in a store of so many rows;
 * with `-- --store postgres [rows] [runs]` in a PostgreSQL.
 */
const given = process.argv.indexOf('--store')
if (process.argv[given + 1] === 'postgres') {
  const [asked, times] = process.argv.slice(given + 2)
  await scaleOnPostgres(Number(asked ?? 1_000_000), Number(times ?? 300))
  process.exit()
}
const rows = Number(process.argv[2] ?? 1_000_000)
const runs = Number(process.argv[3] ?? 100)
const [large, small] = [accountId('large'), accountId('small')]
const rowsOfSmall = 1000

const kept = process.argv[4]
const folder = kept ?? mkdtempSync(join(tmpdir(), 'nuncio-scale-'))
const file = join(folder, 'nuncio.db')
const collections = [messages, contacts]
const opening = performance.now()
const store = await sqliteStore(file, collections)
say(`opened in ${figure(performance.now() - opening)} ms`)

if ((await count(large, messages, {})) === 0) {
  await insert('contacts', contacts, large, aContact, rows)
  await insert('messages', messages, small, aMessage, rowsOfSmall)
  await insert('messages', messages, large, aMessage, rows)
}
say(`file ${figure(statSync(file).size / 1e6)} MB\n`)
say(
  `${'query'.padEnd(46)} ${'rows'.padStart(8)} ${'p50 ms'.padStart(9)} ${'p99 ms'.padStart(9)}  plan`,
)

const newest: SortKey[] = [by('id', 'desc')]
const oldest: SortKey[] = [by('createdAt', 'asc'), byId()]
const to = (name: string) => [by('to', name === 'asc' ? 'asc' : 'desc'), byId()]
const own = (name: 'asc' | 'desc') => [by('userSuppliedId', name), byId()]
const middle = idOf(rows / 2)

await get()
await list('messages, page 1', messages, { sort: newest })
await list('messages, page=20000', messages, { sort: newest, start: { offset: rows - 50 } })
await list('messages, after, in the middle', messages, { sort: newest, start: { after: [middle] } })
await list('contacts, page 1', contacts, { sort: oldest })
await list('contacts, page=20000', contacts, { sort: oldest, start: { offset: rows - 50 } })
await list('contacts, after, in the middle', contacts, {
  sort: oldest,
  start: { after: ['2026-01-01T12:00:00.000Z', middle] },
})
for (const direction of ['asc', 'desc'] as const) {
  await list(`sort=to_${direction}`, messages, { sort: to(direction) })
  await list(`sort=to_${direction}, after`, messages, {
    sort: to(direction),
    start: { after: ['+4915150000000', middle] },
  })
  await list(`sort=to_${direction}, page=20000`, messages, {
    sort: to(direction),
    start: { offset: rows - 50 },
  })
  await list(`sort=userSuppliedId_${direction} (nulls)`, messages, { sort: own(direction) })
  await list(`sort=userSuppliedId_${direction}, after a null`, messages, {
    sort: own(direction),
    start: { after: [null, middle] },
  })
  await list(`sort=status.type_${direction} (4 values)`, messages, {
    sort: [by('status.type', direction), byId()],
  })
  await list(`sort=status.type_${direction}, after`, messages, {
    sort: [by('status.type', direction), byId()],
    start: { after: ['DELIVERED', middle] },
  })
}

const few = is('to', 'eq', '+4915100009317')
const failed = is('status.type', 'eq', 'FAILED')
const rare = is('status.type', 'eq', 'CANCELLED')
const many = is('status.type', 'eq', 'DELIVERED')
await list('to=… (few)', messages, { conditions: [few], sort: newest })
await list('status.type=DELIVERED (97 %)', messages, { conditions: [many], sort: newest })
await list('status.type=DELIVERED, page=1000', messages, {
  conditions: [many],
  sort: newest,
  start: { offset: 50_000 },
})
await list('status.type=FAILED (2 %)', messages, { conditions: [failed], sort: newest })
await list('status.type=CANCELLED (20 rows), sort=to', messages, {
  conditions: [rare],
  sort: to('asc'),
})
await list('status.type=DELIVERED, sort=to', messages, { conditions: [many], sort: to('asc') })
await list('status.type=FAILED, sort=to_desc', messages, { conditions: [failed], sort: to('desc') })
await list('two of status.type', messages, {
  conditions: [is('status.type', 'eq', 'DELIVERED', 'FAILED')],
  sort: newest,
})
for (const [size, end] of [
  ['few', '+4915140001000'],
  ['1 %', '+4915142000000'],
  ['a quarter', '+4915190000000'],
] as const) {
  const range = [is('to', 'gte', '+4915140000000'), is('to', 'lt', end)]
  await list(`range of to (${size}), by id`, messages, { conditions: range, sort: newest })
  await list(`range of to (${size}), sort=to`, messages, { conditions: range, sort: to('asc') })
  await list(`range of to (${size}), sort=userSuppliedId`, messages, {
    conditions: range,
    sort: own('asc'),
  })
}
await list('range of to (a half), status.type=CANCELLED', messages, {
  conditions: [is('to', 'lt', '+4915101000000'), rare],
  sort: newest,
})

const everywhere = is('encoding', 'eq', 'TEXT')
const nowhere = is('carrier', 'eq', 'none')
await list('unindexed field, all have it', messages, { conditions: [everywhere], sort: newest })
await list('unindexed field, none has it', messages, { conditions: [nowhere], sort: newest }, 3)
await list('sort by an unindexed field', messages, { sort: [by('creditCost', 'asc'), byId()] }, 3)

for (const [name, text] of [
  ['rare word', 'code777777'],
  ['part of a rare word', 'ode77777'],
  ['absent word', 'xylophonist'],
  ['frequent word', 'parcel'],
  ['word of 0.3 %', 'umbrella'],
  ['word of the oldest 2 % alone', 'christmas'],
  ['frequent and rare', 'parcel code777777'],
  ['two frequent words', 'parcel today'],
  ['two letters, frequent', 'to'],
  ['two letters, absent', 'qx'],
  ['one letter', 'e'],
  ['one emoji, 20 rows', '🚀'],
  ['one ideograph, 20 rows', '猫'],
] as const) {
  const words = fold(text).split(' ')
  const quick = name.includes('oldest') ? 10 : runs
  await list(`search: ${name}`, messages, { searchTerms: words, sort: newest }, quick)
  await list(
    `search in 1000 rows: ${name}`,
    messages,
    { searchTerms: words, sort: newest },
    runs,
    small,
  )
}
await list('search: frequent word, status.type=CANCELLED', messages, {
  searchTerms: ['parcel'],
  conditions: [rare],
  sort: newest,
})
await list('search: rare word, sort=to', messages, { searchTerms: ['code777777'], sort: to('asc') })
await list('search: frequent word, sort=to', messages, { searchTerms: ['parcel'], sort: to('asc') })
await list('search: frequent word, after', messages, {
  searchTerms: ['parcel'],
  sort: newest,
  start: { after: [middle] },
})

await total('count', messages, {})
await total('count of to=…', messages, { conditions: [few] })
await total('count of status.type=DELIVERED', messages, { conditions: [many] })
await total('count of a rare word', messages, { searchTerms: ['code777777'] })
await total('count of a frequent word', messages, { searchTerms: ['parcel'] })

await store[Symbol.asyncDispose]()
if (kept === undefined) rmSync(folder, { recursive: true })

async function insert(
  name: string,
  collection: Collection,
  account: typeof large,
  make: typeof aMessage,
  amount: number,
): Promise<void> {
  const began = performance.now()
  for (let index = 0; index < amount; index += 256) {
    const group = Math.min(256, amount - index)
    await Promise.all(
      Array.from({ length: group }, (_, offset) => {
        const instance = make(index + offset, amount)
        const key = { id: String(instance['id']) }
        return store.transact((tx) => tx.in(account).save(collection, key, instance, null))
      }),
    )
  }
  const micros = ((performance.now() - began) * 1000) / amount
  say(`inserted ${amount} ${name} in groups of 256: ${figure(micros)} µs each`)
}

async function get(): Promise<void> {
  const times = await timed(runs, (run) =>
    store.read(large, (reader) => reader.find(messages, { id: idOf((run * 7919) % rows) })),
  )
  report('GET by id', 1, times, '')
}

async function list(
  name: string,
  collection: Collection,
  parts: Partial<Query>,
  times = runs,
  account = large,
): Promise<void> {
  const query: Query = {
    conditions: [],
    searchTerms: [],
    sort: newest,
    start: { offset: 0 },
    limit: 51,
    ...parts,
  }
  let found = 0
  const taken = await timed(times, async () => {
    const page = await store.read(account, (reader) => reader.list(collection, null, query))
    found = page.length
  })
  const plan = await planOf(file, collections, account, (reader) =>
    reader.list(collection, null, query),
  )
  report(name, found, taken, plan)
}

async function total(name: string, collection: Collection, parts: Partial<Query>): Promise<void> {
  let found = 0
  const taken = await timed(5, async () => {
    found = await count(large, collection, parts)
  })
  report(name, found, taken, '')
}

function count(
  account: typeof large,
  collection: Collection,
  parts: Partial<Query>,
): Promise<number> {
  const filter = { conditions: [], searchTerms: [], ...parts }
  return store.read(account, (reader) => reader.count(collection, null, filter))
}

async function timed(times: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let run = 0; run < times; run += 1) {
    const began = performance.now()
    await work(run)
    taken.push(performance.now() - began)
    if (taken.reduce((sum, one) => sum + one, 0) > 3000) break
  }
  return taken
}

function report(name: string, found: number, times: readonly number[], plan: string): void {
  const { median } = spread(times)
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  say(
    `${name.padEnd(46)} ${String(found).padStart(8)} ${median.toFixed(2).padStart(9)} ` +
      `${p99.toFixed(2).padStart(9)}  ${plan}`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function is(path: string, operator: Condition['operator'], ...values: Scalar[]): Condition {
  return { path: path.split('.'), operator, values }
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function byId(): SortKey {
  return by('id', 'asc')
}
