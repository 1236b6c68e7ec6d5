import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const skip = await noPostgres()

const lookMs = 2000

describe('the first statistics', { skip }, () => {
  it('are taken of tables with rows, once, and of no queue', async () => {
    const clock = virtualClock()
    await using store = await openPostgres(sampleCollections, () => {}, { clock })
    await using server = await connect(store.url)
    await server.insert(`"c/things" (cell, account, id, revision, doc)`, `'', '{}'`)
    await server.insert(
      'submissions (cell, account, message, queue, priority, due_at, attempt)',
      `'', 1, 1, 0`,
    )

    await clock.advance(lookMs)
    await server.taken(1)
    await clock.advance(lookMs)
    await clock.advance(lookMs)

    assert.deepEqual(await server.analyzed(), [['c/things', '1']])
  })
})

async function connect(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  const analyzed = async (): Promise<readonly unknown[][]> => {
    const { rows } = await client.query<unknown[]>({
      text: 'select relname::text, analyze_count from pg_stat_user_tables where analyze_count > 0',
      rowMode: 'array',
    })
    return rows
  }
  return {
    analyzed,
    /** Inserts rows; the statistics of use say so at once. */
    insert: async (into: string, values: string): Promise<void> => {
      await client.query(
        `insert into ${into} select 1, 'ours', 'i' || at, ${values} from generate_series(1, 600) at`,
      )
      await client.query('select pg_stat_force_next_flush()')
    },
    /** Waits until statistics of so many tables were taken. */
    taken: async (wanted: number): Promise<void> => {
      while ((await analyzed()).length < wanted) await setTimeout(20)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
