import type { SqlValue } from '../connection.ts'
import { logName } from './moved-tables.ts'
import type { TableMove } from './plan-move.ts'
import type { ReadRow } from './read-rows.ts'
import type { StoreEnd, TargetEnd, RowValues } from './store-end.ts'
import type { LogPosition } from '../../../core/ports/notification-log.ts'

/** The progress of a webhook with its places in the log changed; opaque to stores. */
export type MoveProgress = (
  progress: string,
  parse: StoreEnd['parse'],
  move: (position: LogPosition) => Promise<LogPosition>,
) => Promise<string>

/** What rows are taken over with. */
export interface Taking {
  readonly source: StoreEnd
  readonly target: TargetEnd
  readonly moveProgress: MoveProgress
}

/** The columns that a table is written with in the target. */
export function takenColumns({ table, columns, target }: TableMove): readonly string[] {
  return table.name === logName ? [...target.order, ...columns] : columns
}

/** A row as it stands in the target; `count` is which of its table it is, from 1. */
export async function takenRow(
  taking: Taking,
  move: TableMove,
  { place, values }: ReadRow,
  count: number,
): Promise<RowValues> {
  const { table, columns } = move
  if (table.name === logName) return [...taking.target.places.entry(place, count), ...values]
  const changes = changesOf(table.name)
  if (changes === null && table.places.length === 0) return values
  const before = (name: string): SqlValue => values[columns.indexOf(name)] ?? null
  const taken: SqlValue[] = []
  for (const [index, name] of columns.entries()) {
    const value = values[index] ?? null
    if (table.places.includes(name)) taken.push(await takenPlace(taking, value))
    else if (changes?.[name] === undefined) taken.push(value)
    else taken.push(await changes[name](value, before, taking))
  }
  return taken
}

type Change = (
  value: SqlValue,
  before: (name: string) => SqlValue,
  taking: Taking,
) => Promise<SqlValue> | SqlValue

/**
 * Whoever was at work on the source is not any more: nobody holds a webhook, and what was being handed
 * over is due again.
 */
const released: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  consumers: {
    owner: () => null,
    held_until: () => 0,
    progress: (value, _, { source, target, moveProgress }) =>
      moveProgress(String(value), source.parse, target.places.of),
  },
  submissions: {
    due_at: (value, before) => (before('uncertain') === 1 ? 0 : value),
  },
}

function changesOf(table: string): Readonly<Record<string, Change>> | null {
  return released[table] ?? null
}

async function takenPlace({ source, target }: Taking, value: SqlValue): Promise<SqlValue> {
  const position = source.parse(String(value))
  if (position === null) throw new Error(`${String(value)} is no place in a log`)
  return target.places.toSql(await target.places.of(position))
}
