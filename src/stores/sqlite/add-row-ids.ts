import type { DatabaseSync } from 'node:sqlite'
import { quoted } from '../sql/tables/identifier.ts'
import { tableDefinition } from '../sql/tables/schema.ts'
import type { Table } from '../sql/tables/table.ts'
import { sqliteDialect } from './dialect.ts'

/**
 * Gives the rows of a table of an earlier version (before schema 3) places of their own. SQLite cannot add
 * such a column to a table, so its rows move to a new one.
 */
export function addPlaces(database: DatabaseSync, table: Table): void {
  const before = columnsOf(database, table.sql)
  if (before.length === 0 || before.includes('place')) return
  const old = quoted(`${table.name} without places`)
  const indexes = definitionsOf(database, table)
  database.exec(`alter table ${table.sql} rename to ${old}`)
  database.exec(tableDefinition(sqliteDialect, table))
  const kept = columnsOf(database, table.sql)
    .filter((name) => before.includes(name))
    .map(quoted)
    .join(', ')
  database.exec(`insert into ${table.sql} (${kept}) select ${kept} from ${old} order by rowid`)
  database.exec(`drop table ${old}`)
  for (const index of indexes) database.exec(index)
}

/** The texts that made the indexes of a table, those of its keys apart. */
function definitionsOf(database: DatabaseSync, table: Table): readonly string[] {
  return database
    .prepare(
      "select sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
    )
    .all(table.name)
    .map((row) => String(row['sql']))
}

function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  return database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map((row) => String(row['name']))
}
