import type { DatabaseSync } from 'node:sqlite'
import { type Column, indexName, type Table } from '../sql/tables/table.ts'

/**
 * The planner's statistics of every collection (https://sqlite.org/fileformat2.html#stat1tab): the number
 * of rows, and how many share the first columns of an index. They are constants and not measured, so that
 * every machine plans a query alike, on an empty table as on a full one: a text leaves few instances, a
 * choice among some words leaves many.
 */
const rows = 1_000_000
const rowsOfAccount = 100_000
const rowsOfParent = 100
const sharing = {
  account: { few: 10, many: 20_000 },
  parent: { few: 2, many: 20 },
} as const

/** Sets the statistics of tables and their indexes. */
export function setStatistics(database: DatabaseSync, tables: readonly Table[]): void {
  // Makes the table of statistics, then has it read.
  database.exec('analyze sqlite_schema')
  const remove = database.prepare('delete from sqlite_stat1 where tbl = ?')
  const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
  for (const table of tables) {
    remove.run(table.name)
    for (const [index, counts] of statistics(table)) {
      insert.run(table.name, index, [rows, ...counts].join(' '))
    }
  }
  database.exec('analyze sqlite_schema')
}

/** The indexes with how many rows share their first column, their first two, and so on. */
function statistics(
  table: Table,
): readonly (readonly [index: string, counts: readonly number[]])[] {
  // A cell has few accounts.
  const account = [rowsOfAccount, rowsOfAccount]
  const scope = table.nested ? [...account, rowsOfParent] : account
  const { few, many } = sharing[table.nested ? 'parent' : 'account']
  const byColumn = table.columns.map((column): readonly [string, readonly number[]] => {
    const share = isOneOfFew(column) ? many : few
    if (column.unique)
      return [indexName(table, column), table.collection.owned ? [1] : [...account, 1]]
    if (table.collection.owned) return [indexName(table, column), [share, share, 1]]
    if (table.nested && column.kind === 'reference') {
      return [indexName(table, column), [...account, few, few, 1]]
    }
    return [indexName(table, column), [...scope, share, 1]]
  })
  return [[`sqlite_autoindex_${table.name}_1`, [...scope, 1]], ...byColumn]
}

function isOneOfFew({ kind }: Column): boolean {
  return kind === 'choice' || kind === 'boolean'
}
