import type { SqlConnection } from '../../sql/connection.ts'

/** So often work gives way to others at the most. */
const attemptsMax = 60

/**
 * Does work that locks tables while others use them: where it cannot have a lock soon, or stands in the way
 * of others, it lets them go first and is done again. Throws what it throws otherwise.
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
