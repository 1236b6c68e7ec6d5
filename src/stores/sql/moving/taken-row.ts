import type { SqlValue } from '../connection.ts'
import type { TableMove } from './plan-move.ts'
import type { ReadRow } from './read-rows.ts'
import type { StoreEnd, TargetEnd, RowValues } from './store-end.ts'

/** Both ends of a move. */
export interface Taking {
  readonly source: StoreEnd
  readonly target: TargetEnd
}

/** Returns a row as the target stores it. */
export function takenRow({ table, columns }: TableMove, { values }: ReadRow): RowValues {
  const changes = changesOf(table.name)
  if (changes === null) return values
  const before = (name: string): SqlValue => values[columns.indexOf(name)] ?? null
  return columns.map((name, index) => {
    const value = values[index] ?? null
    const change = changes[name]
    return change === undefined ? value : change(value, before)
  })
}

type Change = (value: SqlValue, before: (name: string) => SqlValue) => SqlValue

/** The nodes of the source are gone: nobody holds a webhook, and claimed submissions are due again. */
const released: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  consumers: { owner: () => null, lease_expires_at: () => 0 },
  submissions: {
    claimed_until: (value) => (value === null ? null : 0),
    due_at: (value, before) => (before('claimed_until') === null ? value : 0),
  },
}

function changesOf(table: string): Readonly<Record<string, Change>> | null {
  return released[table] ?? null
}
