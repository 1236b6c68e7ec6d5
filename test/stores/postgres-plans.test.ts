import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { accountId } from '../../src/core/account.ts'
import type { ExpectedReceipt, UnmatchedReceipt } from '../../src/core/ports/receipts.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { sampleCollections, things } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres, type TestStore } from '../support/postgres/open-store.ts'

const ours = accountId('ours')
const skip = await noPostgres()

/** Prepared statements have their final plan after this many runs. */
const runsUntilPlanned = 30
const waiting = 3000

describe('the statements on queues', { skip }, () => {
  for (const [when, prepare] of [
    ['empty tables', (_: TestStore, client: Client) => client.query('analyze')],
    ['a queue that had run empty', runEmpty],
  ] as const) {
    it(`look up each row though PostgreSQL took its statistics of ${when}`, async () => {
      await using store = await openPostgres(sampleCollections)
      const client = new Client({ connectionString: store.url })
      await client.connect()
      await prepare(store, client)
      for (let run = 0; run < runsUntilPlanned; run += 1) await work(store, 1)
      await store.transact(async (tx) => {
        for (let at = 0; at < waiting; at += 1) await tx.in(ours).enqueue(`waiting${at}`, 2)
      })

      const before = await rowsRead(client, 'submissions', () => work(store, 1))
      for (let run = 0; run < runsUntilPlanned; run += 1) await work(store, 2)
      const after = await rowsRead(client, 'submissions', () => work(store, 1))
      await client.end()

      // Entries of finished submissions are read until PostgreSQL removes them. A scan would read all
      // that wait, each time.
      assert.ok(after - before < waiting * 10, `${after - before} rows were read`)
    })
  }
})

describe('a queue whose removed rows an open snapshot keeps', { skip }, () => {
  it('is read from its first row on', async () => {
    await using store = await openPostgres(sampleCollections)
    const [client, foreign] = [store.url, store.url].map(
      (url) => new Client({ connectionString: url }),
    )
    await client?.connect()
    await foreign?.connect()
    await foreign?.query('begin isolation level repeatable read; select 1')
    const look = async (now: number): Promise<void> => {
      await store.transact(({ submissions }) => submissions.waiting(now))
      await store.transact(({ submissions }) => submissions.claim(now, now + 100, 1))
    }
    await store.transact((tx) => tx.in(ours).enqueue('due0', 0))
    await store.transact(({ submissions }) => submissions.waiting(1))
    await work(store, waiting)
    await look(10_000)

    assert.ok(client !== undefined)
    const before = await rowsRead(client, 'submissions', () => look(10_001))
    const after = await rowsRead(client, 'submissions', () => look(10_002))
    await client.end()
    await foreign?.end()

    assert.ok(after - before < waiting / 2, `${after - before} rows were read`)
  })
})

describe('the statements on instances and receipts', { skip }, () => {
  for (const [when, prepare] of [
    ['before PostgreSQL took statistics', async () => {}],
    ['with statistics of empty tables', (_: TestStore, client: Client) => client.query('analyze')],
    ['with statistics of receipts that had run empty', fillAndEmpty],
  ] as const) {
    it(`find rows by their keys though they were planned ${when}`, async () => {
      await using store = await openPostgres(sampleCollections)
      const client = new Client({ connectionString: store.url })
      await client.connect()
      await prepare(store, client)
      for (let run = 0; run < runsUntilPlanned; run += 1) await touch(store)
      await fill(store)

      const before = await rowsRead(client, '%', () => touch(store))
      for (let run = 0; run < runsUntilPlanned; run += 1) await touch(store)
      const after = await rowsRead(client, '%', () => touch(store))
      await client.end()

      // Each of 32 runs reads some 40 rows. One that reads by another index reads all of the account.
      assert.ok(after - before < waiting * 10, `${after - before} rows were read`)
    })
  }
})

/** Stores instances and receipts. */
async function fill(store: TestStore): Promise<void> {
  await store.transact(async (tx) => {
    for (let at = 0; at < waiting; at += 1)
      await tx.in(ours).save(things, { id: `t${at}` }, thing, null)
    for (let at = 0; at < waiting; at += 1) await tx.receipts.expect(partOf(`p${at}`), 1000)
  })
}

/** Lets submissions pass. As the service's own vacuum does it, their pages stay, and no row is in them. */
async function runEmpty(store: TestStore, client: Client): Promise<void> {
  await work(store, waiting)
  await client.query('vacuum (analyze, truncate false)')
}

/** Leaves the pages of receipts, and no row in them. */
async function fillAndEmpty(store: TestStore, client: Client): Promise<void> {
  await fill(store)
  await client.query('delete from receipts')
  await client.query('vacuum (analyze, truncate false)')
}

const thing = { name: 'one', status: { type: 'OLD' }, ratings: [] }
const touched = Array.from({ length: 5 }, (_, at) => `touched${at}`)

/** Reads and changes a few instances, and settles a few receipts, in sets as the service does. */
async function touch(store: TestStore): Promise<void> {
  await store.transact((tx) =>
    Promise.all([
      ...touched.map((id) => tx.in(ours).save(things, { id }, thing, null)),
      ...touched.map((id) => tx.receipts.expect(partOf(id), 1000)),
    ]),
  )
  await store.transact((tx) =>
    Promise.all([
      ...touched.map((id) => tx.in(ours).find(things, { id })),
      ...touched.map((id) => tx.receipts.match(receiptOf(id), null)),
      ...touched.map((id) => tx.receipts.settle(partOf(id), { type: 'DELIVERED', detail: null })),
    ]),
  )
  for (const id of touched) {
    await store.transact((tx) => tx.in(ours).save(things, { id }, { ...thing, name: 'two' }, null))
    await store.read(ours, (reader) => reader.find(things, { id }))
  }
}

function receiptOf(carrierMessageId: string): UnmatchedReceipt {
  const outcome = { type: 'DELIVERED', detail: null } as const
  return { carrier: 'carrier', carrierMessageId, outcome, code: null, receivedAt: 1 }
}

function partOf(messageId: string): ExpectedReceipt {
  const [carrier, carrierMessageId] = ['carrier', messageId]
  return { account: ours, messageId, part: 1, carrier, carrierMessageId, outcome: null }
}

/** Claims a few due submissions, finishes them, and expects and settles their receipts. */
async function work(store: TestStore, count: number): Promise<void> {
  await store.transact(async (tx) => {
    for (let at = 0; at < count; at += 1) await tx.in(ours).enqueue(`due${at}`, 0)
  })
  const claimed = await store.transact((tx) =>
    tx.submissions.claim(1, 100, count, defaultQueueKey, 'node'),
  )
  assert.equal(claimed.length, count)
  await store.transact(async (tx) => {
    for (const each of claimed) await tx.submissions.settle(each, { kind: 'FINISHED' })
  })
}

/** Returns how many rows of tables whose names are like this, and entries of their indexes, were read. */
async function rowsRead(
  client: Client,
  tables: string,
  work: () => Promise<void>,
): Promise<number> {
  // A session reports its statistics with the first transaction that ends a second later.
  await setTimeout(1200)
  await work()
  await setTimeout(100)
  const { rows } = await client.query<{ read: string }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables where relname like $1)
      + (select sum(idx_tup_read) from pg_stat_user_indexes where relname like $1) as read`,
    [tables],
  )
  return Number(rows[0]?.read)
}
