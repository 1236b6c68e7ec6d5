import { Client } from 'pg'
import { messages } from '../../src/collections/messages.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { type AccountId, accountId } from '../../src/core/account.ts'
import {
  type Condition,
  fold,
  type Query,
  type Scalar,
  type SortKey,
} from '../../src/core/query.ts'
import type { Store } from '../../src/core/store.ts'
import { standardOffer } from '../../src/join.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { figure, spread } from '../figures.ts'
import { aMessage, idOf } from '../rows.ts'
import { startPostgres } from '../subjects/postgres.ts'
import { explained } from './explained.ts'

/**
 * `npm run bench:scale -- --store postgres [rows] [runs]`: what lists, filters, search and pages cost in a
 * PostgreSQL with so many messages of 1,000 accounts, a tenth of them of one, and 2,000 webhooks.
 */
export async function scaleOnPostgres(rows: number, runs: number): Promise<void> {
  await using server = await startPostgres()
  const url = await server.ownedDatabase()
  await using store = await postgresStore(url, standardOffer.collections)
  const sizes = accountsOf(rows)
  const began = performance.now()
  await fill(store, sizes, rows)
  await analyzed(url)
  say(
    `${rows} messages of ${sizes.length} accounts in ${figure((performance.now() - began) / 1000)} s\n`,
  )
  say(
    `${'query'.padEnd(44)} ${'rows'.padStart(5)} ${'p50 ms'.padStart(8)} ${'p99 ms'.padStart(8)}  plan`,
  )
  const some = sizes.slice(1)
  const slow: string[] = []
  for (const [of, accounts] of [
    [`of ${figure(some[0]?.count ?? 0)}`, some],
    [`of ${figure(sizes[0]?.count ?? 0)}`, sizes.slice(0, 1)],
  ] as const) {
    for (const [name, query] of queries) {
      const found = await timed(store, accounts, query, runs)
      const first = accounts[0] ?? { account: accountId('none'), count: 0, from: 0 }
      const plan = await explained(url, standardOffer.collections, first.account, (reader) =>
        reader.list(messages, null, { ...usual, ...query(first, 7) }),
      )
      const p99 = found.times.toSorted((a, b) => a - b)[Math.floor(found.times.length * 0.99)] ?? 0
      if (p99 > mostMs) slow.push(`${name} ${of}: ${p99.toFixed(1)} ms`)
      say(
        `${`${name} ${of}`.padEnd(44)} ${String(found.rows).padStart(5)} ` +
          `${spread(found.times).median.toFixed(2).padStart(8)} ${p99.toFixed(2).padStart(8)}  ${plan}`,
      )
    }
  }
  say(`\nabove ${mostMs} ms: ${slow.length === 0 ? 'none' : slow.join('; ')}`)
}

/** What a page of a list may take in the store, for 99 of 100. */
const mostMs = 10

/** An account and its messages, which are those from one number on. */
interface Sized {
  readonly account: AccountId
  readonly from: number
  readonly count: number
}

type Asking = (of: Sized, run: number) => Partial<Query>

const usual: Query = {
  conditions: [],
  words: [],
  sort: [by('id', 'desc')],
  start: { offset: 0 },
  limit: 51,
}

const queries: readonly (readonly [name: string, query: Asking])[] = [
  ['newest', () => ({})],
  ['after', (of, run) => ({ start: { after: [idOf(at(of, run))] } })],
  ['page in the middle', ({ count }) => ({ start: { offset: Math.floor(count / 100) * 50 } })],
  ['to', (of, run) => ({ conditions: [is('to', recipient(at(of, run)))] })],
  ['status DELIVERED (97 %)', () => ({ conditions: [is('status.type', 'DELIVERED')] })],
  ['status FAILED (2 %)', () => ({ conditions: [is('status.type', 'FAILED')] })],
  ['status CANCELLED (few)', () => ({ conditions: [is('status.type', 'CANCELLED')] })],
  ['userSuppliedId', (of, run) => ({ conditions: [is('userSuppliedId', order(at(of, run)))] })],
  ['sort=to', () => ({ sort: [by('to', 'asc'), by('id', 'asc')] })],
  [
    'sort=to, after',
    (of, run) => ({
      sort: [by('to', 'asc'), by('id', 'asc')],
      start: { after: [recipient(at(of, run)), idOf(at(of, run))] },
    }),
  ],
  ['sort=createdAt', () => ({ sort: [by('createdAt', 'asc'), by('id', 'asc')] })],
  ['search, a frequent word', () => ({ words: [fold('parcel')] })],
  ['search, a rare word', (of, run) => ({ words: [fold(`code${at(of, run)}`)] })],
  ['search, an absent word', () => ({ words: [fold('xylophonist')] })],
  [
    'search, status FAILED',
    () => ({ words: [fold('parcel')], conditions: [is('status.type', 'FAILED')] }),
  ],
]

function accountsOf(rows: number): readonly Sized[] {
  const large = Math.floor(rows / 10)
  const others = 999
  const each = Math.floor((rows - large) / others)
  return [
    { account: accountId('account_large'), from: 0, count: large },
    ...Array.from({ length: others }, (_, index) => ({
      account: accountId(`account_${String(index).padStart(4, '0')}`),
      from: large + index * each,
      count: each,
    })),
  ]
}

/** So many rows in a transaction, and so many transactions at once. */
const slice = 1000
const lanes = 3

async function fill(store: Store, sizes: readonly Sized[], rows: number): Promise<void> {
  const slices = sizes.flatMap(({ account, from, count }) =>
    Array.from({ length: Math.ceil(count / slice) }, (_, index) => ({
      account,
      from: from + index * slice,
      end: Math.min(from + (index + 1) * slice, from + count),
    })),
  )
  const one = async (): Promise<void> => {
    for (let next = slices.pop(); next !== undefined; next = slices.pop()) {
      const { account, from, end } = next
      await store.transact(async (tx) => {
        const writer = tx.in(account)
        const all = Array.from({ length: end - from }, (_, index) => aMessage(from + index, rows))
        await Promise.all(
          all.map((message) => writer.save(messages, { id: String(message['id']) }, message, null)),
        )
      })
    }
  }
  await Promise.all(Array.from({ length: lanes }, one))
  for (const { account } of sizes) {
    await store.transact(async (tx) => {
      for (const name of ['one', 'other']) {
        const date = '2026-01-01T00:00:00.000Z'
        const webhook = {
          id: name,
          url: 'https://example.com/hook',
          createdAt: date,
          updatedAt: date,
        }
        await tx.in(account).save(webhooks, { id: name }, webhook, null)
        await tx.consumers.add(account, name, '{}')
      }
    })
  }
}

/** As autovacuum leaves tables some minutes later. */
async function analyzed(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze) "c/messages"')
  await client.query('vacuum (analyze) "c/webhooks"')
  await client.query('vacuum (analyze) consumers')
  await client.end()
}

async function timed(
  store: Store,
  accounts: readonly Sized[],
  query: Asking,
  runs: number,
): Promise<{ readonly times: number[]; readonly rows: number }> {
  const times: number[] = []
  let found = 0
  for (let run = 0; run < runs; run += 1) {
    const of = accounts[(run * 37) % accounts.length]
    if (of === undefined) break
    const asked = { ...usual, ...query(of, run) }
    const began = performance.now()
    const page = await store.read(of.account, (reader) => reader.list(messages, null, asked))
    times.push(performance.now() - began)
    found = page.length
    if (times.reduce((sum, one) => sum + one, 0) > 4000) break
  }
  return { times, rows: found }
}

function at({ from, count }: Sized, run: number): number {
  return from + ((run * 7919) % count)
}

function recipient(index: number): string {
  return String(aMessage(index, 1_000_000)['to'])
}

function order(index: number): string {
  return `order-${(index * 31) % 1_000_000}`
}

function is(path: string, ...values: Scalar[]): Condition {
  return { path: path.split('.'), operator: 'eq', values }
}

function by(path: string, direction: SortKey['direction']): SortKey {
  return { path: path.split('.'), direction }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
