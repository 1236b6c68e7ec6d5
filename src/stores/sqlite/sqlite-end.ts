import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Collection } from '../../core/declaration/collection.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { unfinishedMove } from '../sql/moving/move-state.ts'
import type { StoreEnd, TargetEnd, RowValues } from '../sql/moving/store-end.ts'
import { currentSchema } from '../sql/tables/schema-change.ts'
import { sqliteConnection, type SqliteConnection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { inTransaction } from './commits/in-transaction.ts'
import { checkOwner, tableNames } from './migrate.ts'
import { lockFile, makeDirectory, openReader, openWriter, type FileLock } from './open-file.ts'
import { sqliteStore } from './sqlite-store.ts'

/**
 * Opens the file from which rows are taken, without changing it. Throws `StoreUnavailable` if it does not
 * exist, is in use, or has another version.
 */
export function sqliteSource(file: string): StoreEnd {
  if (!existsSync(file))
    throw new StoreUnavailable(`there is no file ${file}; name the store to move`)
  const lock = lockFile(file)
  try {
    const database = openReader(file)
    checkOwner(database, file)
    const version = Number(database.prepare('pragma user_version').get()?.['user_version'])
    if (version !== currentSchema.version) {
      throw new StoreUnavailable(
        `${file} is not of this version yet; start this version on it once, and stop it`,
      )
    }
    return endOf(file, database, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Opens the file to which rows are moved, and creates the tables of a new one. */
export async function sqliteTarget(
  file: string,
  collections: readonly Collection[],
): Promise<TargetEnd> {
  makeDirectory(file)
  if (!isBegun(file)) await (await sqliteStore(file, collections))[Symbol.asyncDispose]()
  const lock = lockFile(file)
  try {
    const database = openWriter(file, (opened) => checkOwner(opened, file))
    const end = endOf(file, database, lock)
    return {
      ...end,
      transact: (work) => inTransaction(end.connection, work),
      insert: (table, columns, rows) => insert(database, table, columns, rows),
      finish: async () => {},
      [Symbol.asyncDispose]: async () => {
        end.connection.now('pragma wal_checkpoint(truncate)')
        await end[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

interface SqliteEnd extends StoreEnd {
  readonly connection: SqliteConnection
}

function endOf(file: string, database: DatabaseSync, lock: FileLock): SqliteEnd {
  const connection = sqliteConnection(database, file)
  return {
    dialect: sqliteDialect,
    shown: `sqlite:${file}`,
    connection,
    tableNames: async () => ownTables(database),
    columnsOf: async (table) =>
      database
        .prepare('select name from pragma_table_info(?)')
        .all(table)
        .map((row) => String(row['name'])),
    [Symbol.asyncDispose]: async () => {
      connection.close()
      lock.release()
    },
  }
}

/** Returns the names of our tables, without those of SQLite. */
function ownTables(database: DatabaseSync): readonly string[] {
  return tableNames(database).filter((name) => !name.startsWith('sqlite_'))
}

/** Returns true if a move into this file has begun. */
function isBegun(file: string): boolean {
  const lock = lockFile(file)
  const database = openReader(file)
  try {
    return (
      tableNames(database).includes('meta') && database.prepare(unfinishedMove).get() !== undefined
    )
  } finally {
    database.close()
    lock.release()
  }
}

async function insert(
  database: DatabaseSync,
  table: string,
  columns: readonly string[],
  rows: readonly RowValues[],
): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  const statement = database.prepare(`insert into "${table}" (${names}) values (${marks})`)
  for (const row of rows) statement.run(...row)
}
