import type { Collection } from '../../../core/declaration/collection.ts'
import { quoted } from '../tables/identifier.ts'
import { secretKeysName } from '../tables/secret-keys.ts'
import { tableNamesOf } from '../tables/table.ts'

/** The move of a table's rows to another store. */
export interface MovedTable {
  /** The plain name; `sql` is the name as a SQL identifier. */
  readonly name: string
  readonly sql: string
  /** Columns that identify a row; rows are moved in their order. */
  readonly order: readonly string[]
  /** Columns that each store counts by itself. */
  readonly counted: readonly string[]
  /** Columns with long texts: they limit the number of rows per read. */
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
  meta: { order: ['name'], only: `name in ('fence', '${secretKeysName}')` },
  declarations: { left: 'the tables of the target are made of them' },
  log: { order: ['cell', 'account', 'position'], long: ['record'] },
  log_heads: { order: ['cell', 'account'] },
  consumers: { order: ['cell', 'account', 'webhook'], long: ['progress'] },
  dead_letters: { order: ['cell', 'account', 'webhook', 'position'] },
  submissions: { order: ['cell', 'account', 'message'] },
  receipts: { order: ['carrier', 'carrier_message_id', 'cell'], long: ['detail'] },
  receipt_routes: { left: 'a distribution creates them again' },
  stray_routes: { left: 'a distribution creates them again' },
  unmatched_receipts: { order: ['row_id'], counted: ['row_id'], long: ['detail'] },
  senders: { order: ['cell', 'address', 'account'] },
  counters: { order: ['cell', 'account', 'subject', 'name'] },
  leases: { left: 'no node is at work while a store moves, and rates start again' },
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
