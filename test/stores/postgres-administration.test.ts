import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const skip = await noPostgres()

const lookMs = 10_000
const statisticsMs = 2000

/** More than the rows that are worth a vacuum. */
const many = 6000

/** More than the rows that are worth statistics. */
const few = 600

/** Insertions of as many rows as are asked for. */
const things = `
  insert into "c/things" (cell, account, id, revision, doc)
  select 1, 'ours', 't' || at, '', '{}' from generate_series(1, $1::int) at`
const submissions = `
  insert into submissions (cell, account, message, queue, priority, due_at, attempt)
  select 1, 'ours', 'm' || at, '', 1, 1, 0 from generate_series(1, $1::int) at`

/** The server does its work within this time, in milliseconds. */
const patienceMs = 20_000

describe('the queues', { skip }, () => {
  it('are vacuumed, so that new rows take the space of removed ones', async () => {
    const clock = virtualClock()
    await using store = await openPostgres(sampleCollections, () => {}, { clock })
    await using server = await connect(store.url)
    await server.leaveDead(many)
    const size = await server.size()

    await clock.advance(lookMs)
    await server.vacuumed(1)

    await server.leaveDead(many)
    assert.ok((await server.size()) < size * 1.2)
  })

  it('are not vacuumed while few of their rows are dead, or an old snapshot retains them', async () => {
    const clock = virtualClock()
    await using store = await openPostgres(sampleCollections, () => {}, { clock })
    await using server = await connect(store.url)
    await server.leaveDead(10)
    await clock.advance(lookMs)
    await using snapshot = await connect(store.url)
    await snapshot.client.query('begin isolation level repeatable read')
    await snapshot.client.query('select 1')
    await server.leaveDead(many)
    await clock.advance(lookMs)
    await server.vacuumed(1)

    await clock.advance(lookMs)
    await snapshot.client.query('commit')
    await server.leaveDead(many + many)
    await clock.advance(lookMs)

    await server.vacuumed(2)
  })
})

describe('the first statistics', { skip }, () => {
  it('are taken of tables with rows, once, and of no queue', async () => {
    const clock = virtualClock()
    await using store = await openPostgres(sampleCollections, () => {}, { clock })
    await using server = await connect(store.url)
    await server.insert(things, few)
    await server.insert(submissions, few)

    await clock.advance(statisticsMs)
    await server.analyzed(1)
    await clock.advance(statisticsMs)
    await clock.advance(statisticsMs)

    assert.deepEqual(await server.analyses(), [['c/things', '1']])
  })
})

async function connect(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const number = async (sql: string): Promise<number> => {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    return Number(rows[0]?.[0])
  }
  const vacuums = () =>
    number(`select vacuum_count from pg_stat_user_tables where relname = 'submissions'`)
  const analyses = async (): Promise<readonly unknown[][]> => {
    const { rows } = await client.query<unknown[]>({
      text: 'select relname::text, analyze_count from pg_stat_user_tables where analyze_count > 0',
      rowMode: 'array',
    })
    return rows
  }
  /** Inserts rows; the statistics of use say so at once. */
  const insert = async (insertion: string, rows: number): Promise<void> => {
    await client.query(insertion, [rows])
    await client.query('select pg_stat_force_next_flush()')
  }
  return {
    client,
    insert,
    analyses,
    /** Inserts rows and removes them; the statistics say so at once. */
    leaveDead: async (rows: number): Promise<void> => {
      await insert(submissions, rows)
      await client.query('delete from submissions')
      await client.query('select pg_stat_force_next_flush()')
    },
    size: () => number(`select pg_relation_size('submissions')`),
    /** Waits until so many vacuums were done; fails if there are more. */
    vacuumed: async (wanted: number): Promise<void> => {
      await reached(vacuums, wanted)
      assert.equal(await vacuums(), wanted)
    },
    /** Waits until statistics of so many tables were taken. */
    analyzed: (wanted: number) => reached(async () => (await analyses()).length, wanted),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Waits until a number is reached; fails if it is not in time. */
async function reached(number: () => Promise<number>, wanted: number): Promise<void> {
  const until = performance.now() + patienceMs
  while ((await number()) < wanted) {
    assert.ok(performance.now() < until, `it is ${await number()}, not ${wanted}`)
    await setTimeout(20)
  }
}
