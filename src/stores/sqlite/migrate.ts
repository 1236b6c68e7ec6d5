import type { DatabaseSync } from 'node:sqlite'
import type { Log } from '../../core/ports/log.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { StoredCatalogue } from '../sql/tables/catalogue.ts'
import { changes } from '../sql/rows/changes.ts'
import { finishEarlier } from '../sql/declarations/complete-rows.ts'
import type { SqlConnection } from '../sql/connection.ts'
import type { ChangedDeclaration } from '../sql/declarations/declared-change.ts'
import {
  keepDeclaration,
  readKept,
  tellUndeclared,
  unfinishedOf,
  type KeptDeclaration,
} from '../sql/declarations/stored-declarations.ts'
import type { SecretCipher } from '../secret-cipher.ts'
import { recordSecretKeys, toEncryptAgain } from '../sql/tables/secret-keys.ts'
import { unfinishedMove, unfinishedText } from '../sql/moving/move-state.ts'
import { fixedTables, logColumns, logIndex, tableDefinition } from '../sql/tables/fixed-tables.ts'
import { sqlValue, type Table } from '../sql/tables/table.ts'
import type { Unfinished } from '../sql/declarations/unfinished.ts'
import {
  changesSince,
  checkSchema,
  currentSchema,
  type StoreSchema,
} from '../sql/tables/schema-change.ts'
import { sqliteDialect } from './dialect.ts'
import { isEmpty, renewIndexes } from './indexes.ts'
import { setStatistics } from './statistics.ts'

/** Marks our files (PRAGMA application_id): the letters `Nunc`. */
const applicationId = 0x4e_75_6e_63

/** Throws `StoreUnavailable` where the file is none that a service can begin with. */
export function checkFile(database: DatabaseSync, file: string, schema: StoreSchema): void {
  checkOwner(database, file, schema)
  if (!tableNames(database).includes('meta')) return
  const move = database.prepare(unfinishedMove).get()
  if (move !== undefined) throw new StoreUnavailable(`${file}: ${unfinishedText(move['value'])}`)
}

/** Throws `StoreUnavailable` where the file belongs to another program or a newer version. */
export function checkOwner(
  database: DatabaseSync,
  file: string,
  schema: StoreSchema = currentSchema,
): void {
  const id = pragma(database, 'application_id')
  const version = pragma(database, 'user_version')
  const empty = database.prepare('select 1 from sqlite_schema limit 1').get() === undefined
  if (empty) return
  if (id !== applicationId) {
    throw new StoreUnavailable(
      `${file} is a database of another program; name another file in NUNCIO_STORE`,
    )
  }
  checkSchema(schema, file, version, tableNames(database))
}

/**
 * Makes the file fit for the collections as they are declared now, in one transaction, so that it is
 * left as it was where that fails. What must be done to every row is not done here: it is returned, by
 * the qualified name of the collection. Throws a `DeclarationError` where a change of a declaration
 * would lose something that is stored.
 */
export async function migrate(
  database: DatabaseSync,
  connection: SqlConnection,
  { tables }: StoredCatalogue,
  log: Log,
  { schema, cipher }: MigrationOptions,
): Promise<ReadonlyMap<string, Unfinished>> {
  const version = pragma(database, 'user_version')
  database.exec('begin immediate')
  try {
    if (version > 0) for (const text of changesSince(schema, version)) database.exec(text)
    const logTable = `create table if not exists log (${logColumns})`
    const fixed = [...fixedTables(sqliteDialect), logTable, logIndex]
    for (const definition of fixed) database.exec(definition)
    const kept = await readKept(connection)
    for (const table of tables) {
      await finishEarlier(
        { connection, dialect: sqliteDialect, cipher },
        table,
        kept.get(table.qualifiedName),
      )
    }
    const changed = await changes({ connection, dialect: sqliteDialect }, tables, kept)
    const isEncryptedAgain = await recordSecretKeys(connection, kept, cipher)
    const unfinished = new Map<string, Unfinished>()
    for (const table of tables) {
      const name = table.qualifiedName
      const before = kept.get(name)
      const found = migrateTable(database, table, before, changed.get(name), log)
      const left = isEncryptedAgain ? toEncryptAgain(table, found) : found
      if (left !== null) unfinished.set(name, left)
      await keepDeclaration(connection, name, { declared: table.collection, unfinished: left })
    }
    setStatistics(database, tables)
    for (const { collection, qualifiedName } of tables) {
      if (collection.searchIndex === true) log('warn', notMade, { collection: qualifiedName })
    }
    await tellUndeclared(connection, tables, kept, log)
    database.exec(`pragma application_id = ${applicationId}`)
    database.exec(`pragma user_version = ${schema.version}`)
    database.exec('commit')
    return unfinished
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** Options of a migration. */
export interface MigrationOptions {
  readonly schema: StoreSchema
  readonly cipher: SecretCipher | null
}

const notMade = 'search index not supported by SQLite'

/** The tables that the file has. */
export function tableNames(database: DatabaseSync): readonly string[] {
  return database
    .prepare("select name from sqlite_schema where type = 'table'")
    .all()
    .map((row) => String(row['name']))
}

/**
 * Creates or updates the table of a collection. Returns the row changes that remain; null if there are
 * none.
 */
function migrateTable(
  database: DatabaseSync,
  table: Table,
  before: KeptDeclaration | undefined,
  change: ChangedDeclaration | undefined,
  log: Log,
): Unfinished | null {
  database.exec(tableDefinition(sqliteDialect, table))
  const columns = renewIndexes(database, table, log)
  if (isEmpty(database, table)) return null
  return unfinishedOf(table, before, change, columns)
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(sqlValue(database.prepare(`pragma ${name}`).get()?.[name]))
}
