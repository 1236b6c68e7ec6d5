import type { SqlConnection } from '../../sql/connection.ts'

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
