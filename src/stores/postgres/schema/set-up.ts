import { Client, type ClientConfig } from 'pg'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection, SqlParameter } from '../../sql/connection.ts'
import { numberIn } from '../../sql/rows/row.ts'
import { patiently } from '../connection/retry-transient.ts'
import { statements } from '../connection/statements.ts'

/** The oldest server whose SQL is enough. */
const oldestServer = 150_000

/** By this number nodes know that another changes tables: the letters `Nunc`. */
export const lockNumber = 0x4e_75_6e_63

/**
 * Timeout of a table change's wait for locks. Later transactions queue after it and must not wait too long.
 * Autovacuum yields after a second.
 */
const lockMs = 1200

/**
 * Runs work that changes tables, on a dedicated connection, one node at a time. Throws `StoreUnavailable`
 * if the server cannot be used.
 */
export async function setUp<T>(
  config: ClientConfig,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  // The lock goes with the connection.
  return withConnection(config, async (connection) => {
    await checkServer(connection)
    await takeTime(connection)
    await connection.run('select pg_advisory_lock(?)', [lockNumber])
    await connection.run(`set lock_timeout = ${lockMs}`, [])
    return work(patient(connection))
  })
}

/** Runs work on a dedicated connection, which is closed after it. Throws what the driver throws. */
export async function withConnection<T>(
  config: ClientConfig,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(connectionOver(client))
  } finally {
    await client.end().catch(() => {})
  }
}

/** A connection whose statements, where they are in no transaction, are tried again where others are in the way. */
function patient(connection: SqlConnection): SqlConnection {
  let isWithin = false
  return {
    ...connection,
    run: async (sql, params) => {
      if (sql === 'begin') isWithin = true
      if (sql === 'commit' || sql === 'rollback') isWithin = false
      if (isWithin) return connection.run(sql, params)
      if (!isOnline(sql)) return patiently(connection, async () => connection.run(sql, params))
      await connection.run('set lock_timeout = 0', [])
      try {
        return await connection.run(sql, params)
      } finally {
        await Promise.allSettled([connection.run(`set lock_timeout = ${lockMs}`, [])])
      }
    },
  }
}

/**
 * Returns true for statements that may wait without a timeout, since no others queue after them. A leftover
 * of an interrupted one would block its own retry.
 */
function isOnline(sql: string): boolean {
  return /^create (unique )?index concurrently |^alter table \S+ validate constraint /.test(sql)
}

/** Lets the statements of a connection take their time. */
export async function takeTime(connection: SqlConnection): Promise<void> {
  // The indexes of large tables take their time.
  await connection.run('set statement_timeout = 0', [])
  await connection.run('set idle_in_transaction_session_timeout = 0', [])
}

/** Throws `StoreUnavailable` where the server cannot be used. */
export async function checkServer(connection: SqlConnection): Promise<void> {
  const row = await connection.first(
    `select current_setting('server_version_num')::int, current_setting('server_encoding')`,
    [],
  )
  if (numberIn(row?.[0] ?? 0) < oldestServer) {
    throw new StoreUnavailable('PostgreSQL is too old; 15 or newer is needed')
  }
  if (row?.[1] !== 'UTF8') {
    throw new StoreUnavailable(
      `the database has the encoding ${String(row?.[1])}; make one with UTF8`,
    )
  }
}

/** Creates a connection; its user begins and ends transactions. */
export function connectionOver(client: Client): SqlConnection {
  const { prepare } = statements(false, null)
  const send = (sql: string, params: readonly SqlParameter[]) =>
    client.query<unknown[]>({ ...prepare(sql), values: [...params], rowMode: 'array' })
  const connection: SqlConnection = {
    all: async (sql, params) => (await send(sql, params)).rows,
    first: async (sql, params) => (await send(sql, params)).rows[0],
    run: async (sql, params) => (await send(sql, params)).rowCount ?? 0,
    lockName: async () => {},
    attempt: (work) => work(),
  }
  return connection
}
