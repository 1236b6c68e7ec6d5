import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../../core/store.ts'
import type { JsonObject } from '../../core/json.ts'
import { searchText, searchTextVersion } from '../search-text.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import { quoted } from '../sql/identifier.ts'
import {
  columnDefinition,
  fixedTables,
  type Index,
  indexesOf,
  indexPrefixes,
  schemaVersion,
  tableDefinition,
} from '../sql/schema.ts'
import { columnValue, sqlValue, type Table } from '../sql/table.ts'
import { sqliteDialect } from './dialect.ts'
import { addPlaces } from './add-places.ts'
import { dropSearchIndex, makeIndexState, makeSearchIndex } from './search-index.ts'
import { setStatistics } from './statistics.ts'

/** Marks our files (PRAGMA application_id): the letters `Nunc`. */
const applicationId = 0x4e_75_6e_63

/** Throws `StoreUnavailable` where the file belongs to another program or a newer version. */
export function checkFile(database: DatabaseSync, file: string): void {
  const id = pragma(database, 'application_id')
  const version = pragma(database, 'user_version')
  const empty = database.prepare('select 1 from sqlite_schema limit 1').get() === undefined
  if (empty) return
  if (id !== applicationId) {
    throw new StoreUnavailable(
      `${file} is a database of another program; name another file in NUNCIO_STORE`,
    )
  }
  if (version > schemaVersion) {
    throw new StoreUnavailable(
      `${file} was written by a newer version of Nuncio (schema ${version}; this one knows ` +
        `${schemaVersion}); start that version, or restore a backup made before it`,
    )
  }
}

/**
 * Makes what is missing for the collections, in one transaction: tables, the columns and indexes
 * of fields that are indexed now, the searched texts of fields that are searched now. Indexes of
 * fields that are indexed no more are removed.
 */
export function migrate(database: DatabaseSync, catalogue: Catalogue): void {
  database.exec('begin immediate')
  try {
    for (const definition of fixedTables(sqliteDialect)) database.exec(definition)
    makeIndexState(database)
    for (const table of catalogue.tables) migrateTable(database, table)
    setStatistics(database, catalogue.tables)
    database.exec(`pragma application_id = ${applicationId}`)
    database.exec(`pragma user_version = ${schemaVersion}`)
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** The tables that the file has. */
export function tableNames(database: DatabaseSync): readonly string[] {
  return names(database, "select name from sqlite_schema where type = 'table'")
}

function migrateTable(database: DatabaseSync, table: Table): void {
  addPlaces(database, table)
  database.exec(tableDefinition(sqliteDialect, table))
  addColumns(database, table)
  renewIndexes(database, table)
  renewSearch(database, table)
  makeSearchIndex(database, table)
}

function addColumns(database: DatabaseSync, table: Table): void {
  const present = names(database, `pragma table_info(${table.sql})`)
  for (const column of table.columns) {
    if (present.includes(column.name)) continue
    database.exec(`alter table ${table.sql} add column ${columnDefinition(sqliteDialect, column)}`)
  }
}

/** A column is kept up to date only while it has its index, so each index that is made fills its column first. */
function renewIndexes(database: DatabaseSync, table: Table): void {
  const rows = database
    .prepare("select name, sql from sqlite_schema where type = 'index' and tbl_name = ?")
    .all(table.name)
  const present = rows
    .map((row): Index => ({ name: String(row['name']), sql: String(row['sql']) }))
    .filter(({ name }) => indexPrefixes.some((prefix) => name.startsWith(prefix)))
  const wanted = indexesOf(table)
  const isIn = (indexes: readonly Index[], index: Index): boolean =>
    indexes.some((other) => sameDefinition(other, index))

  for (const index of present) {
    if (!isIn(wanted, index)) database.exec(`drop index ${quoted(index.name)}`)
  }
  const missing = wanted.filter((index) => !isIn(present, index))
  if (missing.length > 0) fillColumns(database, table)
  for (const { sql } of missing) createIndex(database, table, sql)
}

/** SQLite keeps the text that made an index, but writes its first words in capitals. */
function sameDefinition(a: Index, b: Index): boolean {
  const definition = ({ sql }: Index): string => sql.replace(/^create (unique )?index /i, '')
  return a.name === b.name && definition(a) === definition(b)
}

function fillColumns(database: DatabaseSync, table: Table): void {
  for (const [index, column] of table.columns.entries()) {
    const name = `column_${index}`
    database.function(name, { deterministic: true }, (doc, hidden) =>
      columnValue(column, parsed(doc) ?? {}, parsed(hidden)),
    )
    database.exec(
      `update ${table.sql} set ${column.sql} = ${name}(doc, hidden) where ${column.sql} is not ${name}(doc, hidden)`,
    )
  }
}

function createIndex(database: DatabaseSync, table: Table, sql: string): void {
  try {
    database.exec(sql)
  } catch (error) {
    if (sqliteDialect.violatedRule(error) === null) throw error
    throw new StoreUnavailable(
      `${table.qualifiedName} has instances with the same value of a field that is declared ` +
        'unique now; change them, or the declaration',
      { cause: error },
    )
  }
}

/** The searched texts are made anew where other fields are searched than were. */
function renewSearch(database: DatabaseSync, table: Table): void {
  const name = `searched ${table.name}`
  const wanted = JSON.stringify([searchTextVersion, ...table.collection.searchedBy])
  const row = database.prepare('select value from meta where name = ?').get(name)
  if (row?.['value'] === wanted) return

  dropSearchIndex(database, table)
  database.function('searched', { deterministic: true }, (doc) =>
    searchText(table.collection, parsed(doc) ?? {}),
  )
  database.exec(`update ${table.sql} set search = searched(doc)`)
  database
    .prepare(
      'insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    )
    .run(name, wanted)
}

function parsed(text: unknown): JsonObject | null {
  return typeof text === 'string' ? (JSON.parse(text) as JsonObject) : null
}

function names(database: DatabaseSync, sql: string): readonly string[] {
  return database
    .prepare(sql)
    .all()
    .map((row) => String(row['name']))
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(sqlValue(database.prepare(`pragma ${name}`).get()?.[name]))
}
