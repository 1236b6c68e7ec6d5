import type { JsonObject } from '../../../core/json.ts'
import { unpackedText } from '../../packed-text.ts'
import type { SqlValue } from '../connection.ts'
import { storedText } from '../rows/instances.ts'
import { textIn, textOrNullIn } from '../rows/row.ts'
import { columnValue } from '../tables/table.ts'
import type { TableMove } from './plan-move.ts'
import type { ReadRow } from './read-rows.ts'
import type { StoreEnd, TargetEnd, RowValues } from './store-end.ts'

/** Both ends of a move. */
export interface Taking {
  readonly source: StoreEnd
  readonly target: TargetEnd
}

/** Returns a row as the target stores it. */
export function takenRow(move: TableMove, { values }: ReadRow): RowValues {
  const { table, columns } = move
  const before = (name: string): SqlValue => values[columns.indexOf(name)] ?? null
  const changes = changesOf(table.name) ?? rewriting(move, before)
  if (changes === null) return values
  return columns.map((name, index) => {
    const value = values[index] ?? null
    const change = changes[name]
    return change === undefined ? value : change(value, before)
  })
}

type Before = (name: string) => SqlValue
type Change = (value: SqlValue, before: Before) => SqlValue
type Changes = Readonly<Record<string, Change>>

/** The nodes of the source are gone: webhooks have no owner, and claimed submissions are due again. */
const released: Readonly<Record<string, Changes>> = {
  consumers: { owner: () => null, lease_expires_at: () => 0 },
  submissions: {
    claimed_until: (value) => (value === null ? null : 0),
    due_at: (value, before) => (before('claimed_until') === null ? value : 0),
  },
}

/** Shortened texts, and columns that hold a part of the values, are stored as the target's dialect says. */
function rewriting({ rewritten }: TableMove, before: Before): Changes | null {
  if (rewritten === null) return null
  const id = textIn(before('id'))
  const doc = unpackedText(id, textIn(before('doc')))
  const hidden = textOrNullIn(before('hidden'))
  const instance: JsonObject = JSON.parse(doc)
  const notServed: JsonObject | null = hidden === null ? null : JSON.parse(hidden)
  const columns = rewritten.columns.map((column) => [
    column.name,
    () => columnValue(column, instance, notServed),
  ])
  return { doc: () => storedText(rewritten, id, doc), ...Object.fromEntries(columns) }
}

function changesOf(table: string): Changes | null {
  return released[table] ?? null
}
