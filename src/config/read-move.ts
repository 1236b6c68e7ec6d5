import type { StoreLocation } from './config.ts'
import type { Loaded } from './load-config.ts'
import { parsers } from './parsers.ts'

/** From where to where a store is moved. */
export interface StoreMove {
  readonly from: StoreLocation
  readonly to: StoreLocation
}

/** Reads from where to where a store is moved; what is wrong is told all at once. */
export function readMove(given: {
  readonly from?: string
  readonly to?: string
}): Loaded<StoreMove> {
  const [from, to] = [readEnd('from', given.from), readEnd('to', given.to)]
  if ('fault' in from || 'fault' in to) {
    return { ok: false, faults: [from, to].flatMap((end) => ('fault' in end ? [end.fault] : [])) }
  }
  const fault = faultOf(from, to)
  return fault === null ? { ok: true, config: { from, to } } : { ok: false, faults: [fault] }
}

function readEnd(
  flag: string,
  text: string | undefined,
): StoreLocation | { readonly fault: string } {
  if (text === undefined) {
    return { fault: `--${flag} is missing: sqlite:./path, or postgres://user@host/database.` }
  }
  const read = parsers.store(text)
  if (!read.ok) return { fault: `--${flag} ${read.rule}.` }
  return read.value.kind === 'memory'
    ? { fault: `--${flag} names a store in memory, which nothing outlives.` }
    : read.value
}

function faultOf(from: StoreLocation, to: StoreLocation): string | null {
  if (from.kind !== to.kind) return null
  return from.kind === 'sqlite'
    ? 'Both are SQLite. A store of SQLite is one file: stop the service and copy it.'
    : 'Both are PostgreSQL: use pg_dump and pg_restore.'
}
