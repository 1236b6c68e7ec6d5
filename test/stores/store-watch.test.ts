import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Client } from 'pg'
import type { Log } from '../../src/core/ports/log.ts'
import { metrics } from '../../src/core/ports/metrics.ts'
import type { DelayingTransaction } from '../../src/core/ports/store-health.ts'
import { watchStore } from '../../src/wiring/watch-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const dump = { database: 'nuncio', role: 'backup', application: 'pg_dump' }

function openWatch(t: TestContext) {
  const clock = virtualClock()
  const lines: unknown[] = []
  let found: readonly DelayingTransaction[] = []
  const registry = metrics()
  const health = {
    pools: () => [{ name: 'writes', busy: 1, waiting: 2, max: 3 }],
    delayingTransactions: async () => found,
  }
  const log: Log = (level, event, fields) => void lines.push([level, event, fields])
  const watch = watchStore({ store: { health }, clock, log }, registry)
  t.after(() => watch[Symbol.asyncDispose]())
  const see = async (ms: number, ...transactions: readonly DelayingTransaction[]) => {
    found = transactions
    await clock.advance(ms)
  }
  return { lines, see, registry }
}

describe('the watch over a store', () => {
  it('warns once of a transaction that delays vacuum, of each other one, and each hour', async (t) => {
    const { lines, see } = openWatch(t)

    await see(60_000, { pid: 7, ...dump, ageMs: 61_000 })
    await see(60_000, { pid: 7, ...dump, ageMs: 121_000 })
    const first = lines.length
    await see(60_000, { pid: 8, ...dump, ageMs: 90_000 })
    const second = lines.length
    await see(3_600_000, { pid: 8, ...dump, ageMs: 3_700_000 })
    const third = lines.length
    await see(60_000)

    assert.deepEqual([first, second, third], [1, 2, 3])
    assert.deepEqual(
      [lines[0], lines[3]],
      [
        ['warn', 'transaction delays vacuum', { pid: 7, ...dump, ageSeconds: 61 }],
        ['info', 'no transaction delays vacuum', {}],
      ],
    )
  })

  it('shows the age of the oldest and the use of the pools', async (t) => {
    const { see, registry } = openWatch(t)

    await see(20_000, { pid: 7, ...dump, ageMs: 61_500 })

    const text = await registry.text()
    assert.match(text, /^nuncio_store_delaying_transaction_seconds 61\.5$/m)
    assert.match(
      text,
      /^db_client_connection_count\{db_client_connection_pool_name="writes",db_client_connection_state="used"\} 1$/m,
    )
    assert.match(
      text,
      /^db_client_connection_pending_requests\{db_client_connection_pool_name="writes"\} 2$/m,
    )
    assert.match(text, /^db_client_connection_max\{db_client_connection_pool_name="writes"\} 3$/m)
  })
})

describe('the health of a PostgreSQL store', { skip: await noPostgres() }, () => {
  it('finds the transactions of others that hold a snapshot, with process and age', async () => {
    await using store = await openPostgres([])
    const other = new Client({ connectionString: store.url, application_name: 'a report' })
    await other.connect()
    await other.query('begin isolation level repeatable read; select 1')
    const { rows } = await other.query('select pg_backend_pid() as pid, current_database() as name')

    const found = await store.health?.delayingTransactions(0)
    const none = await store.health?.delayingTransactions(60_000)
    await other.end()

    const reported = found?.find(({ application }) => application === 'a report')
    assert.deepEqual([reported?.pid, reported?.database], [rows[0].pid, rows[0].name])
    assert.ok((reported?.ageMs ?? -1) >= 0)
    assert.deepEqual(none, [])
    assert.deepEqual(
      store.health?.pools().map(({ name }) => name),
      ['writes', 'reads', 'loops', 'queries'],
    )
  })
})
