import { Client } from 'pg'
import type { Collection } from '../../../core/declaration/collection.ts'
import { type Clock, wait } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { shownPostgresUrl } from '../../../core/postgres-urls.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { unfinishedMove } from '../../sql/moving/move-state.ts'
import type { RowValues, StoreEnd, TargetEnd } from '../../sql/moving/store-end.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import { quoted } from '../../sql/tables/identifier.ts'
import { currentSchema } from '../../sql/tables/schema-change.ts'
import { readAddress } from '../connection/address.ts'
import { binaryArray } from '../connection/binary-array.ts'
import { asFault } from '../connection/fault.ts'
import { inTransaction } from '../connection/lock-briefly.ts'
import { connectTo } from '../connection/servers.ts'
import { postgresDialect } from '../dialect.ts'
import { postgresStore } from '../postgres-store.ts'
import { makeParts, partedCollection, partedLog } from './partitions.ts'
import { checkServer, connectionOver, lockNumber, takeTime } from './set-up.ts'

/** Dependencies of an end. */
export interface EndParts {
  readonly clock: Clock
  readonly log: Log
}

/**
 * Opens the source database of a move. The move does not change it, and no node can start on it until the
 * end. Throws `StoreUnavailable` if it cannot be reached, is in use, or has another version.
 */
export async function postgresSource(url: string, parts: EndParts): Promise<StoreEnd> {
  return ofThisVersion(await hold(url, parts, true))
}

/** Opens a database that is only read, while nodes may use it. */
export async function postgresLook(url: string, parts: EndParts): Promise<StoreEnd> {
  return ofThisVersion(await hold(url, parts, false))
}

async function ofThisVersion(end: PostgresEnd): Promise<StoreEnd> {
  try {
    const version = (await end.hasTable('meta'))
      ? await end.connection.first("select value from meta where name = 'schema'", [])
      : undefined
    if (version === undefined) throw new StoreUnavailable(`${end.shown} holds no store`)
    if (Number(version[0]) !== currentSchema.version) {
      throw new StoreUnavailable(
        `${end.shown} is not of this version yet; start this version on it once, and stop it`,
      )
    }
    return end
  } catch (error) {
    await end[Symbol.asyncDispose]()
    throw error
  }
}

/** Opens the target database of a move; a new one gets the tables of the collections. */
export async function postgresTarget(
  url: string,
  collections: readonly Collection[],
  parts: EndParts,
): Promise<TargetEnd> {
  if (!(await isBegun(url, parts))) {
    await (await postgresStore(url, collections, parts.log))[Symbol.asyncDispose]()
  }
  const end = await hold(url, parts)
  const { connection } = end
  // Rows of the retained days go into partitions, which are dropped with their day.
  const passing = collections.filter((collection) => collection.passing === true)
  for (const parted of [partedLog, ...passing.map(partedCollection)]) {
    const work = { connection, log: parts.log }
    await makeParts(work, parted, parts.clock.now() - keptMs)
  }
  return {
    ...end,
    transact: (work) => transact(connection, work),
    insert: async (table, columns, rows) => {
      await insert(connection, table, columns, rows, await end.typesOf(table))
    },
    finish: async (tables) => {
      for (const table of tables) await connection.run(`analyze ${table}`, [])
    },
  }
}

const keptMs = 8 * 86_400_000

interface PostgresEnd extends StoreEnd {
  hasTable(name: string): Promise<boolean>
  typesOf(table: string): Promise<ReadonlyMap<string, string>>
}

/** Holds a database, if it is to be used alone: who starts on it, or moves it, waits or is refused. */
async function hold(url: string, { clock }: EndParts, isAlone = true): Promise<PostgresEnd> {
  const { direct, directServers } = readAddress(url)
  const found = await connectTo(direct, directServers)
  const client = new Client({ ...found, application_name: 'nuncio, used alone', types })
  client.on('error', () => {})
  const shown = shownPostgresUrl(url)
  try {
    await client.connect()
    const connection = connectionOver(client)
    await checkServer(connection)
    await takeTime(connection)
    if (isAlone) await checkUnused(connection, shown, clock)
    return endOver(client, connection, shown)
  } catch (error) {
    await client.end().catch(() => {})
    throw asFault(error)
  }
}

function endOver(client: Client, connection: SqlConnection, shown: string): PostgresEnd {
  const columns = (table: string) =>
    connection.all(
      `select attname::text, format_type(atttypid, null) from pg_attribute
        where attrelid = to_regclass(?) and attnum > 0 and not attisdropped order by attnum`,
      [quoted(table)],
    )
  return {
    dialect: postgresDialect,
    shown,
    connection,
    hasTable: async (name) => (await columns(name)).length > 0,
    tableNames: async () =>
      (
        await connection.all(
          `select relname::text from pg_class
            where relkind in ('r', 'p') and not relispartition
              and relnamespace = current_schema()::regnamespace`,
          [],
        )
      ).map(([name]) => textIn(name)),
    columnsOf: async (table) => (await columns(table)).map(([name]) => textIn(name)),
    typesOf: async (table) =>
      new Map((await columns(table)).map(([name, type]) => [textIn(name), textIn(type)] as const)),
    // The lock goes with the connection.
    [Symbol.asyncDispose]: async () => {
      await client.end().catch(() => {})
    },
  }
}

/** Numbers of 64 bits that this service writes are exact as numbers of its language. */
const types = {
  getTypeParser: (oid: number) =>
    [20, 21, 23, 701].includes(oid) ? Number : (text: string | null) => text,
}

/** Connections that were just given up are seen for a moment. */
const looks = 10
const lookMs = 200

/** Holds the lock under which nodes start, and throws while one has a connection. */
async function checkUnused(connection: SqlConnection, shown: string, clock: Clock): Promise<void> {
  const signal = new AbortController().signal
  for (let look = 1; !(await isUnused(connection)); look += 1) {
    if (look < looks) await wait(clock, lookMs, signal)
    else {
      throw new StoreUnavailable(
        `${shown} is in use by a node or by another move; stop all nodes that name it, and run this again`,
      )
    }
  }
}

async function isUnused(connection: SqlConnection): Promise<boolean> {
  const locked = await connection.first('select pg_try_advisory_lock(?)', [lockNumber])
  const others = await connection.first(
    `select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'nuncio'`,
    [],
  )
  const isFree = locked?.[0] === true || locked?.[0] === 't'
  return isFree && numberIn(others?.[0] ?? 0) === 0
}

/** Returns true if a move into this database was begun. */
async function isBegun(url: string, parts: EndParts): Promise<boolean> {
  await using end = await hold(url, parts)
  if (!(await end.hasTable('meta'))) return false
  return (await end.connection.first(unfinishedMove, [])) !== undefined
}

async function transact(connection: SqlConnection, work: () => Promise<void>): Promise<void> {
  try {
    await inTransaction(connection, work)
  } catch (error) {
    throw asFault(error)
  }
}

/** Writes rows in their order: what the database counts by itself is in that order, too. */
async function insert(
  connection: SqlConnection,
  table: string,
  columns: readonly string[],
  rows: readonly RowValues[],
  typeOf: ReadonlyMap<string, string>,
): Promise<void> {
  const names = columns.map(quoted).join(', ')
  const types = columns.map((name) => typeOf.get(name) ?? 'text')
  const arrays = types.map((type) => `?::${type}[]`).join(', ')
  await connection.run(
    `insert into ${quoted(table)} (${names})
      select ${names} from unnest(${arrays}) with ordinality as given (${names}, "nth of these")
      order by "nth of these"`,
    types.map((type, index) => {
      const values = rows.map((row) => row[index] ?? null)
      if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
        throw new StoreUnavailable(
          `a text in the column ${columns[index]} of ${table} has the character U+0000, which PostgreSQL does ` +
            'not keep; change or delete that row first',
        )
      }
      return binaryArray(type, values)
    }),
  )
}

/**
 * Looks at a database that nodes may use; returns how far the clock is ahead of the database's, in
 * milliseconds. Throws `StoreUnavailable` if no node can use it.
 */
export async function lookAtDatabase(url: string, clock: Clock): Promise<number> {
  await using end = await postgresLook(url, { clock, log: () => {} })
  const before = clock.now()
  const row = await end.connection.first('select extract(epoch from clock_timestamp()) * 1000', [])
  const [stored, after] = [Number(row?.[0]), clock.now()]
  if (stored < before) return before - stored
  return stored > after ? after - stored : 0
}
