import type { DatabaseSync } from 'node:sqlite'
import type { Log } from '../../core/ports/log.ts'
import { fieldAt } from '../field-at.ts'
import { quoted } from '../sql/tables/identifier.ts'
import {
  columnDefinition,
  indexesOf,
  indexPrefixes,
  newlyIndexed,
  notUnique,
  repeatedValue,
  type Index,
} from '../sql/tables/fixed-tables.ts'
import { indexName, textSource, type Column, type Table } from '../sql/tables/table.ts'
import { sqliteDialect } from './dialect.ts'

/**
 * Adds the columns and indexes that a declaration asks for, and drops those that it no longer asks for. A
 * column without its index is not updated, so a column with a new index has old or missing values. Columns
 * of unique fields are filled here, since their rule holds from now on. Returns the names of the others.
 * Throws a `DeclarationError` if values are not unique.
 */
export function renewIndexes(database: DatabaseSync, table: Table, log: Log): readonly string[] {
  addColumns(database, table)
  const present = presentIndexes(database, table)
  const wanted = indexesOf(table)
  const missing = wanted.filter((index) => !isIn(present, index))
  for (const index of present) {
    if (!isIn(wanted, index)) database.exec(`drop index ${quoted(index.name)}`)
  }
  if (isEmpty(database, table)) {
    for (const { sql } of missing) database.exec(sql)
    return []
  }
  for (const index of missing) {
    log('info', 'index is made', { collection: table.qualifiedName, index: index.name })
    const column = table.columns.find((each) => indexName(table, each) === index.name)
    if (column?.unique === true) makeUnique(database, table, column, index)
    else database.exec(index.sql)
  }
  return newlyIndexed(table, missing)
}

/** Returns true if a table has no row. */
export function isEmpty(database: DatabaseSync, table: Pick<Table, 'sql'>): boolean {
  return database.prepare(`select 1 from ${table.sql} limit 1`).get() === undefined
}

function addColumns(database: DatabaseSync, table: Table): void {
  const present = database
    .prepare(`pragma table_info(${table.sql})`)
    .all()
    .map((row) => String(row['name']))
  for (const column of table.columns) {
    if (present.includes(column.name)) continue
    database.exec(`alter table ${table.sql} add column ${columnDefinition(sqliteDialect, column)}`)
  }
}

function presentIndexes(database: DatabaseSync, table: Table): readonly Index[] {
  return database
    .prepare("select name, sql from sqlite_schema where type = 'index' and tbl_name = ?")
    .all(table.name)
    .map((row): Index => ({ name: String(row['name']), sql: String(row['sql']) }))
    .filter(({ name }) => indexPrefixes.some((prefix) => name.startsWith(prefix)))
}

function isIn(indexes: readonly Index[], index: Index): boolean {
  return indexes.some((other) => sameDefinition(other, index))
}

/** SQLite keeps the text that made an index, but writes its first words in capitals. */
function sameDefinition(a: Index, b: Index): boolean {
  const definition = ({ sql }: Index): string => sql.replace(/^create (unique )?index /i, '')
  return a.name === b.name && definition(a) === definition(b)
}

function makeUnique(database: DatabaseSync, table: Table, column: Column, index: Index): void {
  const { source, kind } = fieldAt(table.collection, column.path)
  const value = sqliteDialect.jsonValue(
    textSource(sqliteDialect, table.collection, source),
    column.path,
    kind,
  )
  const { sql } = column
  database
    .prepare(`update ${table.sql} set ${sql} = ${value.sql} where ${sql} is not ${value.sql}`)
    .run(...value.params, ...value.params)
  try {
    database.exec(index.sql)
  } catch (error) {
    if (sqliteDialect.violatedRule(error) === null) throw error
    const pair = database.prepare(repeatedValue(table, column)).get()
    throw notUnique(table, column, pair?.['one'], pair?.['other'])
  }
}
