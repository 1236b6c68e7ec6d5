import type { SqlConnection } from '../../sql/connection.ts'
import { textIn } from '../../sql/rows/row.ts'

/** Maximum wait for a lock, in milliseconds: all users of the table wait with it, briefly enough. */
const lockMs = 50
const attemptsMax = 3
const pauseSeconds = 0.2

/**
 * Runs work that locks tables against all others, in a transaction. Returns false if others, such as a
 * dump, hold the tables for longer: then nothing was done.
 */
export async function lockBriefly(
  connection: SqlConnection,
  work: () => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    if (attempt > 1) await connection.run('select pg_sleep(?)', [pauseSeconds])
    try {
      await inTransaction(connection, async () => {
        await connection.run(`set local lock_timeout = ${lockMs}`, [])
        await work()
      })
      return true
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
  }
  return false
}

/** Returns which sessions hold a table, for the log. */
export async function holdersOf(connection: SqlConnection, table: string): Promise<string> {
  const rows = await connection.all(holders, [table])
  return rows.map(([holder]) => textIn(holder)).join(', ')
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

const holders = `
  select distinct 'pid ' || pid::text || ' ' || coalesce(application_name, '')
  from pg_locks join pg_stat_activity using (pid)
  where relation = to_regclass(?) and pid <> pg_backend_pid() and granted`

/** Runs work in a new transaction of a connection without one. Throws what the work throws. */
export async function inTransaction(
  connection: SqlConnection,
  work: () => Promise<void>,
): Promise<void> {
  await connection.run('begin', [])
  try {
    await work()
    await connection.run('commit', [])
  } catch (error) {
    // If rollback fails, connection and transaction are lost.
    await Promise.allSettled([connection.run('rollback', [])])
    throw error
  }
}
