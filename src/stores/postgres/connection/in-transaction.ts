import type { SqlConnection } from '../../sql/connection.ts'

/** Does work on a connection that has no transaction of its own, in one. Throws what the work throws. */
export async function inTransaction(
  connection: SqlConnection,
  work: () => Promise<void>,
): Promise<void> {
  await connection.run('begin', [])
  try {
    await work()
    await connection.run('commit', [])
  } catch (error) {
    // Where even this fails the connection is gone, and the transaction with it.
    await Promise.allSettled([connection.run('rollback', [])])
    throw error
  }
}
