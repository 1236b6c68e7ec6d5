import { cellOf } from '../../src/stores/cell.ts'
import { Client } from 'pg'
import { messages } from '../../src/collections/messages.ts'
import { type AccountId, accountId } from '../../src/core/account.ts'
import {
  type Condition,
  fold,
  type Query,
  type Scalar,
  type SortKey,
} from '../../src/core/declaration/query.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
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
  await fill(url, sizes, rows)
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
  searchTerms: [],
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
  ['search, a frequent word', () => ({ searchTerms: [fold('parcel')] })],
  ['search, a rare word', (of, run) => ({ searchTerms: [fold(`code${at(of, run)}`)] })],
  ['search, an absent word', () => ({ searchTerms: [fold('xylophonist')] })],
  [
    'search, status FAILED',
    () => ({ searchTerms: [fold('parcel')], conditions: [is('status.type', 'FAILED')] }),
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

/**
 * Fills the tables from within the server, which takes a minute for a million: messages such as
 * `aMessage` makes, with fewer words.
 */
async function fill(url: string, sizes: readonly Sized[], rows: number): Promise<void> {
  const [large, other] = sizes
  if (large === undefined || other === undefined) return
  const client = new Client({ connectionString: url })
  await client.connect()
  const date = '2026-01-01T00:00:00.000Z'
  const template = { ...aMessage(0, rows), id: '{id}', to: '{to}', body: '{body}' }
  const doc = JSON.stringify({ ...template, userSuppliedId: '{own}', createdAt: '{at}' })
  const accounts = sizes.map(({ account }) => account)
  const cells = accounts.map(cellOf)
  const all = large.count + other.count * (sizes.length - 1)
  const given = [doc, large.count, other.count, all, cells, accounts]
  await client.query(insertMessages, given)
  for (const name of ['one', 'other']) {
    const webhook = { id: name, url: 'https://example.com/hook', createdAt: date, updatedAt: date }
    await client.query(insertWebhooks, [name, JSON.stringify(webhook), accounts, cells])
    await client.query(insertConsumers, [name, accounts, cells])
  }
  await client.end()
}

const insertMessages = `
  insert into "c/messages" (cell, account, id, revision, hidden, "f/to", "f/status.type",
    "f/user_supplied_id", "f/created_at", doc, search)
  select ($5::smallint[])[array_position($6::text[], account)], account, id, 'r' || n, null, recipient,
    case when status in ('FAILED', 'CANCELLED') then status end, own, at,
    replace(replace(replace(replace(replace(replace($1::text, '{id}', id), '{to}', recipient),
      '{body}', body), '{own}', coalesce(own, '')), '{at}', at), 'DELIVERED', status), lower(body)
  from (
    select n, 'message_' || lpad(n::text, 26, '0') as id,
      case when n < $2::bigint then 'account_large'
        else 'account_' || lpad(((n - $2::bigint) / $3::bigint)::text, 4, '0') end as account,
      '+49151' || lpad(((n * 7919317) % 100000000)::text, 8, '0') as recipient,
      case when n % 50000 = 17 then 'CANCELLED' when n % 50 = 3 then 'FAILED'
        when n % 100 = 7 then 'SENT' else 'DELIVERED' end as status,
      case when n % 2 = 1 then 'order-' || n end as own,
      to_char(timestamp '2026-01-01' + n * interval '100 milliseconds',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      case when n % 3 = 0 then 'Your parcel arrives today. ' else '' end
        || 'It left our house in the morning, with ' || md5(n::text) || ', code' || n as body
    from generate_series(0, $4::bigint - 1) as each (n)) as made`
const insertWebhooks = `
  insert into "c/webhooks" (cell, account, id, revision, "f/created_at", doc)
  select cell, account, $1, 'r', '2026-01-01T00:00:00.000Z', $2
  from unnest($3::text[], $4::smallint[]) as of (account, cell)`
const insertConsumers = `
  insert into consumers
    (cell, account, webhook, position, progress, owner, fencing_token, lease_expires_at)
  select cell, account, $1, 0, '{}', null, 0, 0
  from unnest($2::text[], $3::smallint[]) as of (account, cell)`

/** As autovacuum leaves tables some minutes later. */
async function analyzed(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (analyze) "c/messages", "c/webhooks", consumers')
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
  return `+49151${String((index * 7_919_317) % 100_000_000).padStart(8, '0')}`
}

function order(index: number): string {
  return `order-${index}`
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
