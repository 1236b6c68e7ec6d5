import type { SqlConnection } from '../../sql/connection.ts'

/** Maximum of attempts. */
const attemptsMax = 60

/**
 * Runs work that locks tables in use. If it cannot get a lock soon, or is part of a deadlock, it releases
 * its locks and runs again. Throws any other error of the work.
 */
export async function patiently<T>(connection: SqlConnection, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isInTheWay(error) || attempt === attemptsMax) throw error
    }
    await connection.run('select pg_sleep(0.1)', [])
  }
}

/** `lock_not_available` and `deadlock_detected`. */
function isInTheWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['55P03', '40P01'].includes(`${error.code}`)
}
