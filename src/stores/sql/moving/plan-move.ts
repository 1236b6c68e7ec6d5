import type { Collection } from '../../../core/declaration/collection.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { readKept } from '../declarations/stored-declarations.ts'
import { quoted } from '../tables/identifier.ts'
import { type Table, tableOf, tablePrefix } from '../tables/table.ts'
import { fixedMoves, movedTables, type MovedTable } from './moved-tables.ts'
import type { Reading } from './read-rows.ts'
import type { StoreEnd } from './store-end.ts'

/** A table to move. Both ends read the same values in the same order. */
export interface TableMove {
  readonly table: MovedTable
  /** The moved columns, which both ends have. */
  readonly columns: readonly string[]
  readonly reading: Reading
  /** The table of the target if it stores the same instances otherwise. */
  readonly rewritten: Table | null
}

/**
 * Returns the collections whose instances a source has, undeclared ones included. Throws
 * `StoreUnavailable` if rows are incomplete or a table is unknown: a move leaves nothing out.
 */
export async function collectionsOf(source: StoreEnd): Promise<readonly Collection[]> {
  const kept = await readKept(source.connection)
  for (const [name, { unfinished }] of kept) {
    if (unfinished === null) continue
    throw new StoreUnavailable(
      `the instances of ${name} in ${source.shown} are not completed for their new declaration; ` +
        'start the service on it, and stop it after its log says "completed instances"',
    )
  }
  const collections = [...kept.values()].map(({ declared }) => declared)
  const known = new Set(movedTables(collections).map(({ name }) => name))
  const unknown = (await source.tableNames()).find(
    (name) => !known.has(name) && (name.startsWith(tablePrefix) || !(name in fixedMoves)),
  )
  if (unknown !== undefined) {
    throw new StoreUnavailable(
      `${source.shown} has a table ${unknown} that this version does not know; move it with the ` +
        'version that made it',
    )
  }
  return collections
}

/** Plans the move of each table. Throws if the target lacks a column of the source. */
export async function planMove(
  source: StoreEnd,
  target: StoreEnd,
  collections: readonly Collection[],
): Promise<readonly TableMove[]> {
  const moves: TableMove[] = []
  for (const table of movedTables(collections)) {
    const [has, takes] = [await source.columnsOf(table.name), await target.columnsOf(table.name)]
    const columns = takes.filter((name) => !table.counted.includes(name))
    if (takes.length === 0) {
      throw new StoreUnavailable(
        `${source.shown} has got other collections since the move into ${target.shown} began; empty ` +
          'the target, and start the move again',
      )
    }
    const lacking = columns.find((name) => !has.includes(name))
    if (lacking !== undefined) {
      throw new StoreUnavailable(
        `the table ${table.name} of ${source.shown} has no column ${lacking}; start this version on it ` +
          'once, and stop it',
      )
    }
    moves.push({
      table,
      columns,
      reading: reading(table, columns),
      rewritten: rewritten(table, source, target),
    })
  }
  return moves
}

/** The table of the target if it stores the same instances otherwise. */
function rewritten(
  { collection }: MovedTable,
  source: StoreEnd,
  { dialect }: StoreEnd,
): Table | null {
  if (collection === null || source.dialect.copiesRows === dialect.copiesRows) return null
  const table = tableOf(collection, dialect, null)
  const other = tableOf(collection, source.dialect, null)
  return JSON.stringify(table) === JSON.stringify(other) ? null : table
}

function reading(table: MovedTable, columns: readonly string[]): Reading {
  const { order, long, only } = table
  return { table: quoted(table.name), order, columns, long, only }
}
