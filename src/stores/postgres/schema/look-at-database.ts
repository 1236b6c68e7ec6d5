import type { Clock } from '../../../core/ports/clock.ts'
import { postgresLook } from './postgres-end.ts'

/**
 * Looks at a database that nodes may use; returns how far the clock is ahead of the database's, in
 * milliseconds. Throws `StoreUnavailable` if no node can use it.
 */
export async function lookAtDatabase(url: string, clock: Clock): Promise<number> {
  await using end = await postgresLook(url, { clock, log: () => {} })
  const before = clock.now()
  const row = await end.connection.first('select extract(epoch from clock_timestamp()) * 1000', [])
  const [stored, after] = [Number(row?.[0]), clock.now()]
  if (stored < before) return before - stored
  return stored > after ? after - stored : 0
}
