import type { SqliteConnection } from '../connection.ts'

/** Runs work in a transaction of its connection. Throws what the work throws. */
export async function inTransaction<T>(
  connection: SqliteConnection,
  work: () => Promise<T>,
): Promise<T> {
  connection.now('begin immediate')
  try {
    const result = await work()
    connection.now('commit')
    return result
  } catch (error) {
    // SQLite ends a transaction by itself after some errors.
    if (connection.inTransaction) connection.now('rollback')
    throw error
  }
}
