import { hash } from 'node:crypto'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import type { Log } from '../../../core/ports/log.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { catalogue, type CataloguedTable } from '../../sql/tables/catalogue.ts'
import { changes } from '../../sql/rows/changes.ts'
import { finishEarlier } from '../../sql/declarations/complete-rows.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { ChangedDeclaration } from '../../sql/declarations/declared-change.ts'
import type { Dialect } from '../../sql/dialect.ts'
import {
  keepDeclaration,
  readKept,
  tellUndeclared,
  unfinishedOf,
  type KeptDeclaration,
} from '../../sql/declarations/stored-declarations.ts'
import { textIn } from '../../sql/rows/row.ts'
import { unfinishedMove, unfinishedText } from '../../sql/moving/move-state.ts'
import { columnDefinition, fixedTables, tableDefinition } from '../../sql/tables/fixed-tables.ts'
import { recordSecretKeys, toEncryptAgain } from '../../sql/tables/secret-keys.ts'
import { tableOf, type Table } from '../../sql/tables/table.ts'
import type { Unfinished } from '../../sql/declarations/unfinished.ts'
import { changesSince, checkSchema, type StoreSchema } from '../../sql/tables/schema-change.ts'
import { postgresDialect, textType } from '../dialect.ts'
import { inTransaction } from '../connection/lock-briefly.ts'
import { readDistribution, unfinishedDistribution } from '../citus/distribution-state.ts'
import { distributeTable, growingTables, notDistributed } from '../citus/distributed-tables.ts'
import { type CellLayout, oneServer, readLayout } from '../citus/layout.ts'
import { dropIndexes, makeFirstIndexes, makeIndexes } from './indexes.ts'
import { patiently } from '../connection/retry-transient.ts'
import { makeParts, partedCollection, partedLog } from './partitions.ts'
import { makeExtensions } from './search-index.ts'
import {
  isPartitioned,
  keyLast,
  logTable,
  partedDefinition,
  storageOf,
  tableSettings,
} from './table-definitions.ts'

/** Grows with every change of how this store makes its tables. */
const layout = 9

/** Result of a migration. */
export interface Migrated {
  /** The tables of the database. */
  readonly found: readonly string[]
  /** Unfinished row changes, by the qualified name of the collection. */
  readonly unfinished: ReadonlyMap<string, Unfinished>
  readonly layout: CellLayout
}

/** Dependencies of a migration. The connection is in no transaction. */
export interface Migration {
  readonly connection: SqlConnection
  readonly collections: readonly Collection[]
  readonly clock: Clock
  readonly log: Log
  readonly schema: StoreSchema
  readonly cipher: SecretCipher | null
}

/**
 * Updates a database to the declared collections while other nodes use it: tables, columns and indexes are
 * only added, and dropped once unused. Must run under a lock. Throws a `DeclarationError` if a changed
 * declaration would lose stored data; the stored declarations then stay unchanged.
 */
export async function migrate(migration: Migration): Promise<Migrated> {
  const { connection, collections, clock, schema } = migration
  const version = await checkVersion(connection, schema)
  const isReady = (await markIn(connection)) === markOf(migration)
  if (!isReady) {
    if (version > 0) await changeTables(connection, schema, version)
    await makeFixedTables(connection)
  }
  await makeParts(migration, partedLog, clock.now())
  const unfinished = isReady ? new Map() : await makeCollections(migration, postgresDialect)
  for (const collection of collections.filter(({ passing }) => passing === true)) {
    await makeParts(migration, partedCollection(collection), clock.now())
  }
  const layout = await layoutOf(migration)
  return { found: await tableNames(connection), unfinished, layout }
}

/** Distributes the new tables of a distributed store, and returns the layout of its cells. */
async function layoutOf({ connection, collections }: Migration): Promise<CellLayout> {
  if ((await readDistribution(connection)) === 'none') return oneServer
  const tables = growingTables(
    collections.map((collection) => tableOf(collection, postgresDialect, null)),
  )
  for (const table of await notDistributed(connection, tables)) {
    await distributeTable(connection, table, null)
  }
  return readLayout(connection)
}

/**
 * Creates tables one by one without a common transaction. Other nodes wait for at most one table, and never
 * for an existing one.
 */
async function makeFixedTables(connection: SqlConnection): Promise<void> {
  const additions: string[] = []
  for (const text of [...fixedTables(postgresDialect), ...logTable]) {
    const { definition, addition } = keyLast(text)
    if (!(await isThere(connection, text))) await connection.run(compared(definition), [])
    if (addition !== null && !(await hasKey(connection, text))) additions.push(addition)
  }
  for (const addition of additions) await connection.run(addition, [])
  for (const setting of tableSettings) await connection.run(setting, [])
}

/** Returns true if the table or index exists: even `create index if not exists` waits for writers. */
async function isThere(connection: SqlConnection, text: string): Promise<boolean> {
  return (await connection.first('select to_regclass(?)::text', [nameIn(text)]))?.[0] !== null
}

/** Returns true if the table has a primary key: a node that ended here may have left one without. */
async function hasKey(connection: SqlConnection, text: string): Promise<boolean> {
  const sql = 'select 1 from pg_index where indrelid = to_regclass(?) and indisprimary'
  return (await connection.first(sql, [nameIn(text)])) !== undefined
}

/** Returns the name of the table or index that a definition creates; null if it is quoted or of a unique index. */
function nameIn(text: string): string | null {
  return /^create \w+ if not exists (\w+)/.exec(text)?.[1] ?? null
}

async function columnsOf(connection: SqlConnection, sql: string): Promise<readonly string[]> {
  const rows = await connection.all(
    `select attname::text from pg_attribute
      where attrelid = to_regclass(?) and attnum > 0 and not attisdropped`,
    [sql],
  )
  return rows.map(([name]) => textIn(name))
}

/** Changes tables in one transaction, and retries if other transactions hold locks. */
function change(connection: SqlConnection, work: () => Promise<void>): Promise<void> {
  return patiently(connection, () => inTransaction(connection, work))
}

async function makeCollections(
  migration: Migration,
  dialect: Dialect,
): Promise<Migrated['unfinished']> {
  const { connection, collections, log, cipher } = migration
  const found = await tableNames(connection)
  const { tables } = catalogue(collections, dialect, found)
  const kept = await readKept(connection)
  for (const table of tables) {
    await finishEarlier({ connection, dialect, cipher }, table, kept.get(table.qualifiedName))
  }
  const present = tables.filter(({ name }) => found.includes(name))
  const changed = await changes({ connection, dialect }, present, kept)
  await makeExtensions(connection, tables)
  for (const table of tables) {
    await change(connection, async () => {
      const additions = await makeTable(connection, dialect, table)
      if (!present.includes(table)) await makeFirstIndexes(connection, table)
      for (const addition of additions) await connection.run(addition, [])
    })
  }
  const columns = new Map<string, readonly string[]>()
  for (const table of present) {
    columns.set(table.qualifiedName, await makeIndexes({ connection, dialect, log }, table))
  }

  const unfinished = new Map<string, Unfinished>()
  await change(connection, async () => {
    const isEncryptedAgain = await recordSecretKeys(connection, kept, cipher)
    for (const table of tables) {
      const name = table.qualifiedName
      await dropIndexes(connection, table)
      const fresh = columns.get(name) ?? []
      const found = await leftOf(connection, table, kept.get(name), changed.get(name), fresh)
      const left = isEncryptedAgain ? toEncryptAgain(table, found) : found
      if (left !== null) unfinished.set(name, left)
      await keepDeclaration(connection, name, { declared: table.collection, unfinished: left })
    }
    await connection.run(keepMeta, ['schema', String(migration.schema.version)])
    await connection.run(keepMeta, ['mark', unfinished.size === 0 ? markOf(migration) : ''])
  })
  await tellUndeclared(connection, tables, kept, log)
  return unfinished
}

/** Makes texts compare by code point in every column, independent of the database's collation. */
function compared(definition: string): string {
  return definition.replace(/"[^"]*"|\btext\b(?! collate)/g, (found) =>
    found === 'text' ? textType : found,
  )
}

/** Returns the schema version of the database; 0 if it has no store. */
async function checkVersion(connection: SqlConnection, schema: StoreSchema): Promise<number> {
  const exists = await connection.first("select to_regclass('meta')::text", [])
  if (exists?.[0] === null || exists === undefined) return 0
  const row = await connection.first("select value from meta where name = 'schema'", [])
  const version = row === undefined ? 0 : Number(textIn(row[0]))
  checkSchema(schema, 'the database', version, await tableNames(connection))
  const move = await connection.first(unfinishedMove, [])
  if (move !== undefined) throw new StoreUnavailable(unfinishedText(move[0]))
  if ((await readDistribution(connection)) === 'unfinished') {
    throw new StoreUnavailable(unfinishedDistribution)
  }
  return version
}

/** Brings the fixed tables of an earlier version up to date, with its number in the same transaction. */
async function changeTables(
  connection: SqlConnection,
  schema: StoreSchema,
  version: number,
): Promise<void> {
  await change(connection, async () => {
    for (const text of changesSince(schema, version)) await connection.run(compared(text), [])
    await connection.run(keepMeta, ['schema', String(schema.version)])
  })
}

const keepMeta = `
  insert into meta (name, value) values (?, ?)
  on conflict (name) do update set value = excluded.value
  where meta.value <> excluded.value`

type MarkedParts = Pick<Migration, 'collections' | 'schema' | 'cipher'>

/** Returns a digest of the tables of these collections, as this version creates them. */
function markOf({ collections, schema, cipher }: MarkedParts): string {
  const made = [schema.version, layout, collections, cipher?.keyIds ?? []]
  return hash('sha256', JSON.stringify(made), 'base64url')
}

/** Returns the mark of the last migration; null if there was none, or its row changes are unfinished. */
async function markIn(connection: SqlConnection): Promise<string | null> {
  const exists = await connection.first("select to_regclass('meta')::text", [])
  if (exists === undefined || exists[0] === null) return null
  const row = await connection.first("select value from meta where name = 'mark'", [])
  return row === undefined ? null : textIn(row[0])
}

async function tableNames(connection: SqlConnection): Promise<readonly string[]> {
  const rows = await connection.all(
    `select relname::text from pg_class
      where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
    [],
  )
  return rows.map(([name]) => textIn(name))
}

/** Creates a table, or its missing columns. Returns the statements that add its key, if it is new. */
async function makeTable(
  connection: SqlConnection,
  dialect: Dialect,
  table: Table,
): Promise<readonly string[]> {
  const definitions = isPartitioned(table)
    ? partedDefinition(dialect, table)
    : [`${tableDefinition(dialect, table)}${storageOf(table)}`]
  const isMade = (await connection.first('select to_regclass(?)::text', [table.sql]))?.[0] !== null
  const parts = isMade ? [] : definitions.map(keyLast)
  for (const { definition } of parts) await connection.run(compared(definition), [])
  const present = await columnsOf(connection, table.sql)
  for (const column of table.columns) {
    if (present.includes(column.name)) continue
    const definition = columnDefinition(dialect, column)
    await connection.run(`alter table ${table.sql} add column if not exists ${definition}`, [])
  }
  return parts.flatMap(({ addition }) => addition ?? [])
}

/** Returns the row changes that remain for existing rows; null if there are none. */
async function leftOf(
  connection: SqlConnection,
  table: CataloguedTable,
  before: KeptDeclaration | undefined,
  change: ChangedDeclaration | undefined,
  columns: readonly string[],
): Promise<Unfinished | null> {
  if ((await connection.first(`select 1 from ${table.sql} limit 1`, [])) === undefined) return null
  return unfinishedOf(table, before, change, columns)
}
