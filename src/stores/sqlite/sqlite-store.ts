import type { Collection } from '../../core/collection.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { LogReader } from '../../core/notification-log.ts'
import type { Store } from '../../core/store.ts'
import { listeners } from '../commit.ts'
import { catalogue, type Catalogue } from '../sql/catalogue.ts'
import { type Effort, effort } from '../sql/effort.ts'
import type { Connection } from '../sql/connection.ts'
import { keyFinder } from '../sql/find-key.ts'
import { countLog, endOfLog, parsePosition, readLog, trimLog } from '../sql/notification-log.ts'
import { sqlReader } from '../sql/reader.ts'
import type { Session } from '../sql/session.ts'
import { sqlTransaction } from '../sql/transaction.ts'
import { sqliteConnection, type SqliteConnection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { asFault } from './fault.ts'
import { groupCommit, type GroupCommit } from './group-commit.ts'
import { startIndexing } from './indexing.ts'
import { checkFile, migrate, tableNames } from './migrate.ts'
import { lockFile, makeDirectory, openReader, openWriter } from './open-file.ts'
import { nextTurn } from './next-turn.ts'
import { snapshots, type Snapshots } from './snapshots.ts'

/** What is seldom given. */
export interface SqliteOptions {
  readonly clock?: Clock
  readonly effort?: Effort
}

/**
 * Opens a store in one SQLite file, which is made where there is none. One connection writes, others
 * read, so no reader sees half a write. Throws `StoreUnavailable`, with the cure, where the file
 * cannot be used.
 */
export async function sqliteStore(
  file: string,
  collections: readonly Collection[],
  log: Log = () => {},
  options: SqliteOptions = {},
): Promise<Store> {
  makeDirectory(file)
  const lock = lockFile(file)
  try {
    const { writer, tables } = open(file, collections)
    const told = listeners((error) => log('error', 'commit listener failed', { error }))
    const reads = snapshots(() => sqliteConnection(openReader(file), file))
    const writes = groupCommit(writer, { before: reads.beforeCommit, after: told.tell })
    const indexing = startIndexing(tables.tables, writes, options.clock ?? systemClock, log)
    told.add(indexing.committed)
    const findKey = keyFinder(tables)
    let closing: Promise<void> | null = null
    const close = async (): Promise<void> => {
      const indexed = indexing[Symbol.asyncDispose]()
      await writes.close()
      await indexed
      reads.close()
      closeWriter(writer)
      lock.release()
    }
    const session = (connection: Connection): Session => ({
      connection,
      catalogue: tables,
      dialect: sqliteDialect,
      effort: options.effort ?? effort,
      pause: nextTurn,
    })

    return {
      name: 'sqlite',
      read: (account, work) =>
        reads.read((connection) => work(sqlReader(session(connection), account))),
      transact: (work) =>
        writes.run((connection, effects) =>
          work(sqlTransaction({ ...session(connection), pause: null, effects, known: new Map() })),
        ),
      findKey: (digest) => reads.read((connection) => findKey(connection, digest)),
      log: logReader(reads, writes),
      onCommit: told.add,
      [Symbol.asyncDispose]: () => (closing ??= close()),
    }
  } catch (error) {
    lock.release()
    throw asFault(file, error)
  }
}

/** Opens the connection that writes, and makes the file fit for the collections. */
function open(
  file: string,
  collections: readonly Collection[],
): { writer: SqliteConnection; tables: Catalogue } {
  const database = openWriter(file, (opened) => checkFile(opened, file))
  try {
    const tables = catalogue(collections, tableNames(database))
    migrate(database, tables)
    for (const statement of takeOver) database.exec(statement)
    return { writer: sqliteConnection(database, file), tables }
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * The process that had the file before is dead, since this one holds the lock: what it had claimed
 * is due again, and nobody holds a consumer.
 */
const takeOver = [
  'update submissions set due_at = 0 where uncertain = 1',
  'update consumers set owner = null, held_until = 0 where owner is not null',
]

function logReader(reads: Snapshots, writes: GroupCommit): LogReader {
  return {
    read: (account, after, filter, limit) =>
      reads.read((connection) => readLog(connection, account, after, filter, limit)),
    count: (account, after, filter) =>
      reads.read((connection) => countLog(connection, account, after, filter, nextTurn)),
    end: () => reads.read((connection) => endOfLog(connection, sqliteDialect)),
    parse: parsePosition,
    trim: (before, limit) => writes.run((connection) => trimLog(connection, before, limit)),
  }
}

/** Empties the write-ahead log into the file, so that the file alone is the whole store. */
function closeWriter(writer: SqliteConnection): void {
  try {
    writer.now('pragma wal_checkpoint(truncate)')
  } finally {
    writer.close()
  }
}
