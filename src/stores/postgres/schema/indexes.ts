import type { Log } from '../../../core/ports/log.ts'
import { fieldAt } from '../../field-at.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { quoted } from '../../sql/tables/identifier.ts'
import { textIn, textOrNullIn } from '../../sql/rows/row.ts'
import {
  type Index,
  newlyIndexed,
  notUnique,
  repeatedValue,
} from '../../sql/tables/fixed-tables.ts'
import { ownPrefixes, wantedIndexes } from './search-index.ts'
import { indexName, textSource, type Column, type Table } from '../../sql/tables/table.ts'

/** Dependencies of index creation. */
export interface IndexWork {
  readonly connection: SqlConnection
  readonly dialect: Dialect
  readonly log: Log
}

/**
 * Creates the missing indexes of a table. Writers do not wait: PostgreSQL creates each index concurrently,
 * which must not run within a transaction. Columns of unique fields are filled first. Returns the names of
 * the other columns whose index is new. Throws a `DeclarationError` if values are not unique.
 */
export async function makeIndexes(work: IndexWork, table: Table): Promise<readonly string[]> {
  const { connection, log } = work
  const present = await presentIndexes(connection, table)
  const missing = wantedIndexes(table).filter((index) => !isIn(present, index))
  const isEmpty = (await connection.first(`select 1 from ${table.sql} limit 1`, [])) === undefined
  for (const index of missing) {
    await connection.run(`drop index if exists ${quoted(index.name)}`, [])
    if (!isEmpty) {
      log('info', 'index is made', { collection: table.qualifiedName, index: index.name })
    }
    const column = table.columns.find((each) => indexName(table, each) === index.name)
    if (column?.unique === true && !isEmpty) await fill(work, table, column)
    await makeIndex(connection, table, index, column)
  }
  if (isEmpty) return []
  return newlyIndexed(table, missing)
}

/** Makes the indexes of a table that was just made, within its transaction. */
export async function makeFirstIndexes(connection: SqlConnection, table: Table): Promise<void> {
  for (const { name, sql } of wantedIndexes(table)) {
    await connection.run(sql, [])
    await connection.run(commentOn(name, sql), [])
  }
}

/** Drops the indexes that the declaration no longer asks for. */
export async function dropIndexes(connection: SqlConnection, table: Table): Promise<void> {
  const wanted = wantedIndexes(table)
  for (const index of await presentIndexes(connection, table)) {
    if (!isIn(wanted, index)) await connection.run(`drop index ${quoted(index.name)}`, [])
  }
}

async function makeIndex(
  connection: SqlConnection,
  table: Table,
  { name, sql }: Index,
  column: Column | undefined,
): Promise<void> {
  try {
    await connection.run(sql.replace(/ index /, ' index concurrently '), [])
    await connection.run(commentOn(name, sql), [])
  } catch (error) {
    // What remains of one that failed is no index.
    await connection.run(`drop index if exists ${quoted(name)}`, [])
    const isUniqueness = error instanceof Error && 'code' in error && error.code === '23505'
    if (!isUniqueness || column === undefined) throw error
    const pair = await connection.first(repeatedValue(table, column), [])
    throw notUnique(table, column, pair?.[0], pair?.[1])
  }
}

/** Stores our definition in the index's comment, since the server reformats definitions. */
function commentOn(name: string, sql: string): string {
  return `comment on index ${quoted(name)} is '${sql.replaceAll("'", "''")}'`
}

async function fill({ connection, dialect }: IndexWork, table: Table, column: Column) {
  const { source, kind } = fieldAt(table.collection, column.path)
  const value = dialect.jsonValue(textSource(dialect, table.collection, source), column.path, kind)
  await connection.run(
    `update ${table.sql} set ${column.sql} = ${value.sql}
      where ${column.sql} is distinct from ${value.sql}`,
    [...value.params, ...value.params],
  )
}

async function presentIndexes(connection: SqlConnection, table: Table): Promise<readonly Index[]> {
  const rows = await connection.all(
    `select relname::text, obj_description(pg_class.oid, 'pg_class') from pg_index
      join pg_class on pg_class.oid = indexrelid
      where indrelid = to_regclass(?) and indisvalid`,
    [table.sql],
  )
  return rows
    .map(([name, sql]): Index => ({ name: textIn(name), sql: textOrNullIn(sql) ?? '' }))
    .filter(({ name }) => ownPrefixes.some((prefix) => name.startsWith(prefix)))
}

function isIn(indexes: readonly Index[], index: Index): boolean {
  return indexes.some(({ name, sql }) => name === index.name && sql === index.sql)
}
