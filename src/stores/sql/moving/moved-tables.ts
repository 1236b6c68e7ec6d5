import type { Collection } from '../../../core/declaration/collection.ts'
import { quoted } from '../tables/identifier.ts'
import { tableNamesOf } from '../tables/table.ts'

/** How the rows of a table are taken to another store. */
export interface MovedTable {
  /** Its name as it is; `sql` is the name as it stands in SQL. */
  readonly name: string
  readonly sql: string
  /** Columns that tell the rows apart, in whose order they are moved. */
  readonly order: readonly string[]
  /** Columns that each store counts by itself. */
  readonly counted: readonly string[]
  /** Columns that hold long texts: they decide how many rows are read at once. */
  readonly long: readonly string[]
  /** Which of its rows, as a condition; null for all. */
  readonly only: string | null
  /** The collection whose instances it has. */
  readonly collection: Collection | null
}

/** Why the rows of a table are not moved. */
interface Left {
  readonly left: string
}

type Fixed = Partial<Omit<MovedTable, 'name' | 'sql'>> & Pick<MovedTable, 'order'>

/**
 * Every table besides those of the collections, in the order in which they are moved. A table that is
 * missing here stops the move.
 */
export const fixedMoves: Readonly<Record<string, Fixed | Left>> = {
  meta: { order: ['name'], only: "name = 'fence'" },
  declarations: { left: 'the tables of the target are made of them' },
  log: { order: ['cell', 'account', 'position'], long: ['record'] },
  log_heads: { order: ['cell', 'account'] },
  consumers: { order: ['cell', 'account', 'webhook'], long: ['progress'] },
  dead_letters: { order: ['cell', 'account', 'webhook', 'position'] },
  submissions: { order: ['cell', 'account', 'message'] },
  receipts: { order: ['carrier', 'carrier_message_id', 'cell'], long: ['detail'] },
  receipt_routes: { left: 'a distribution makes them anew' },
  stray_routes: { left: 'a distribution makes them anew' },
  unmatched_receipts: { order: ['row_id'], counted: ['row_id'], long: ['detail'] },
  senders: { order: ['cell', 'address', 'account'] },
  credits: { order: ['cell', 'account'] },
  counters: { order: ['cell', 'account', 'subject', 'name'] },
  nodes: { left: 'no node is at work while a store moves' },
  leases: { left: 'nobody holds anything while a store moves' },
  buckets: { left: 'rates begin anew' },
}

/** The tables to move: the fixed ones, and those of collections. */
export function movedTables(collections: readonly Collection[]): readonly MovedTable[] {
  const fixed = Object.entries(fixedMoves).flatMap(([name, move]) =>
    'left' in move ? [] : [{ ...plain, name, sql: quoted(name), ...move }],
  )
  const instances = collections.map((collection) => {
    const { name, sql, key } = tableNamesOf(collection)
    return { ...plain, name, sql, order: key, long: texts, collection }
  })
  return [...fixed, ...instances]
}

const plain = { counted: [], long: [], only: null, collection: null }

const texts = ['doc', 'hidden', 'search']
