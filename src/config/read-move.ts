import type { StoreLocation } from './store-location.ts'
import type { Loaded } from './load-config.ts'
import { parsers } from './parsers.ts'

/** The source and the target of a store move. */
export interface StoreMove {
  readonly from: StoreLocation
  readonly to: StoreLocation
}

/** Reads the source and the target of a store move; returns all faults together. */
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
  const read = parsers.store.parse(text)
  if (!read.ok) return { fault: `--${flag} ${read.rule}.` }
  return read.value.kind === 'memory'
    ? { fault: `--${flag} names a store in memory, which ends with its process.` }
    : read.value
}

function faultOf(from: StoreLocation, to: StoreLocation): string | null {
  if (from.kind !== to.kind) return null
  return from.kind === 'sqlite'
    ? 'Both are SQLite. An SQLite store is one file: stop the service and copy it.'
    : 'Both are PostgreSQL: use pg_dump and pg_restore.'
}
