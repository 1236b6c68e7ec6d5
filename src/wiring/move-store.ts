import type { StoreLocation } from '../config/store-location.ts'
import type { StoreMove } from '../config/read-move.ts'
import { systemClock } from '../core/ports/clock.ts'
import type { Moved, MoveReport } from '../core/ports/moving.ts'
import type { Log } from '../core/ports/log.ts'
import { StoreUnavailable } from '../core/ports/store.ts'
import { moveStore } from '../stores/sql/moving/move-store.ts'
import type { OpenTarget, StoreEnd } from '../stores/sql/moving/store-end.ts'
import { sqliteSource, sqliteTarget } from '../stores/sqlite/sqlite-end.ts'

/**
 * Moves a store between databases of different kinds. Throws `StoreUnavailable` with the remedy if
 * it cannot; a second run resumes.
 */
export async function moveStoreBetween(
  { from, to }: StoreMove,
  report: (report: MoveReport) => void,
  log: Log,
): Promise<Moved> {
  await using source = await openSource(from, log)
  return await moveStore({ source, openTarget: targetOf(to, log), report })
}

async function openSource(location: StoreLocation, log: Log): Promise<StoreEnd> {
  if (location.kind === 'sqlite') return sqliteSource(location.file)
  if (location.kind === 'memory') throw inMemory()
  const { postgresSource } = await import('../stores/postgres/schema/postgres-end.ts')
  return postgresSource(location.url, { clock: systemClock, log })
}

function targetOf(location: StoreLocation, log: Log): OpenTarget {
  return async (collections) => {
    if (location.kind === 'sqlite') return sqliteTarget(location.file, collections)
    if (location.kind === 'memory') throw inMemory()
    const { postgresTarget } = await import('../stores/postgres/schema/postgres-end.ts')
    return postgresTarget(location.url, collections, { clock: systemClock, log })
  }
}

function inMemory(): StoreUnavailable {
  return new StoreUnavailable('a store in memory cannot be moved')
}
