import type { Collection } from '../../core/declaration/collection.ts'
import { type Clock, systemClock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { wholeStore } from '../../core/shard.ts'
import type { Store } from '../../core/ports/store.ts'
import { listeners, type Listeners } from '../commit.ts'
import { catalogue } from '../sql/tables/catalogue.ts'
import type { SecretCipher } from '../secret-cipher.ts'
import { latestKeyFinder } from '../sql/rows/find-key.ts'
import { writeCounters } from '../sql/queues/counters.ts'
import { appendEntries, type Notified, trimLog } from '../sql/log/notification-log.ts'
import { receiptTrims } from '../sql/queues/receipts.ts'
import { sqliteLog } from './log.ts'
import { KnownQueues } from '../sql/queues/known-queues.ts'
import { sqlReader } from '../sql/rows/reader.ts'
import { type MakeSession, sessions } from '../sql/session.ts'
import { runTransaction } from '../sql/transaction.ts'
import { type Work, workOn } from '../sql/work.ts'
import {
  completeOnline,
  completion,
  usualPace,
  type Completion,
  type CompletionPace,
  type Transact,
} from '../sql/declarations/completion.ts'
import { sqliteConnection, type SqliteConnection } from './connection.ts'
import { currentSchema, type StoreSchema } from '../sql/tables/schema-change.ts'
import { diskUse } from './look-at-file.ts'
import { everyCell } from '../sql/tables/slice.ts'
import { sqliteDialect } from './dialect.ts'
import { asFault } from './fault.ts'
import { walFlush, type Flush } from './commits/flush.ts'
import { groupCommit, type CommitHooks, type SqliteGroupCommit } from './commits/group-commit.ts'
import { inTransaction } from './commits/in-transaction.ts'
import { knownKeys } from './known-keys.ts'
import { checkFile, migrate, type MigrationOptions, tableNames } from './migrate.ts'
import { lockFile, makeDirectory, openReader, openWriter } from './open-file.ts'
import { boundedReads, type QueryExecutor } from '../sql/lists/bounded-reads.ts'
import { readThreads, type ReadThreads } from './read-threads.ts'
import { snapshots, type Snapshots } from './snapshots.ts'

/** Options that are rarely set. */
export interface SqliteOptions {
  readonly clock?: Pick<Clock, 'monotonic'>
  /** Pace of the completion of rows of earlier declarations. */
  readonly pace?: CompletionPace
  /** Flushes written data to the disk. */
  readonly flush?: (file: string) => Flush
  /**
   * Runs expensive reads. A test on a virtual clock runs them synchronously, since a thread takes real
   * time.
   */
  readonly threads?: (file: string) => ReadThreads
  /** For tests of migrations. */
  readonly schema?: StoreSchema
  /** Encrypts secrets; null: they are stored in clear. */
  readonly cipher?: SecretCipher | null
}

const usual = {
  clock: systemClock,
  pace: usualPace,
  flush: walFlush,
  threads: readThreads,
  schema: currentSchema,
  cipher: null,
}

/**
 * Opens a store in one SQLite file, which is created if missing. One connection writes, others read, so no
 * reader sees half a write. If declarations changed, the store updates instances in the background and
 * answers as if they were updated already. Throws, each with the remedy, `StoreUnavailable` if the file
 * cannot be used, and `DeclarationError` if a changed declaration would lose stored data.
 */
export async function sqliteStore(
  file: string,
  collections: readonly Collection[],
  log: Log = () => {},
  options: SqliteOptions = {},
): Promise<Store> {
  const given = { ...usual, ...options }
  const { clock, pace, flush: flushOf, threads: threadsOf } = given
  makeDirectory(file)
  const lock = lockFile(file)
  try {
    const { writer, rest } = await open(file, collections, log, given)
    const told = listeners((error) => log('error', 'commit listener failed', { error }))
    const reads = snapshots(() => sqliteConnection(openReader(file), file))
    const findKey = latestKeyFinder(rest, sqliteDialect)
    const keys = knownKeys((digest) => reads.read((connection) => findKey(connection, digest)))
    told.add(keys.committed)
    const flush = flushOf(file)
    const threads = threadsOf(file)
    const writes = groupCommit(writer, hooksOf({ clock, reads, flush, told }))
    let closing: Promise<void> | null = null
    const isOpen = (): boolean => closing === null
    const completing = completeOnline(rest, (work) => writes.run(work), pace.pause, isOpen, log)
    const close = async (): Promise<void> => {
      await Promise.all([writes.close(), completing, threads[Symbol.asyncDispose]()])
      reads.close()
      flush.close()
      closeWriter(writer)
      lock.release()
    }
    const session = sessions(rest, sqliteDialect)

    return {
      name: 'sqlite',
      isShared: false,
      ...readsOf(rest, reads, threads),
      transact: transacting(writes, session),
      findKey: keys.find,
      log: sqliteLog(reads, threads),
      maintain: maintenance(writes),
      disk: () => diskUse(file),
      shards: () => [wholeStore],
      shardOf: () => wholeStore,
      onCommit: told.add,
      [Symbol.asyncDispose]: () => (closing ??= close()),
    }
  } catch (error) {
    lock.release()
    throw asFault(file, error)
  }
}

/** Reads on the connection of this thread if they are cheap, in other threads if not. */
function readsOf(
  rest: Completion,
  reads: Snapshots,
  executor: QueryExecutor,
): Pick<Store, 'read' | 'page' | 'count'> {
  const session = sessions(rest, sqliteDialect)
  const read: Store['read'] = (account, work) =>
    reads.read((connection) => work(sqlReader(session(connection), account)))
  const parts = () => ({ catalogue: rest.tables, dialect: sqliteDialect })
  return { read, ...boundedReads({ session: parts, executor, read }) }
}

interface HookParts extends Pick<CommitHooks, 'clock'> {
  readonly reads: Snapshots
  readonly flush: Flush
  readonly told: Listeners
}

function hooksOf({ clock, reads, flush, told }: HookParts): CommitHooks {
  return {
    clock,
    append: (connection, notified) => appendEntries(connection, sqliteDialect, notified),
    before: reads.beforeCommit,
    flush: flush.run,
    after: told.tell,
  }
}

/** Runs transactions in the groups of `writes`. */
function transacting(writes: SqliteGroupCommit, session: MakeSession): Store['transact'] {
  const queues = new KnownQueues()
  return (task, mode) =>
    writes.run((connection, effects, notified) => {
      const work = workOn(session(connection), queues, effects)
      return andThen(runTransaction(work, task), (result) =>
        andThen(writeLate(work, notified), () => result),
      )
    }, mode)
}

/** Removes old rows. Without partitions, instances are removed by those who know them. */
function maintenance(writes: SqliteGroupCommit): Store['maintain'] {
  const trims = receiptTrims({ slices: everyCell, dialect: sqliteDialect })
  return (before, limit, logBefore = before) =>
    writes.run(async (connection) => {
      const removed = [await trimLog(connection, logBefore, limit)]
      for (const trim of trims) removed.push(await connection.run(trim, [before, limit]))
      return { isMore: removed.includes(limit), arePassed: false, failure: null }
    })
}

/** Writes the changed counters of a transaction, and leaves its notifications to the group. */
function writeLate({ connection, late, held }: Work, notified: Notified[]): MaybePromise<void> {
  const counted = [...held.take(), ...late.counted]
  const written = counted.length === 0 ? undefined : writeCounters(connection, counted)
  return andThen(written, () => void notified.push(...late.notified))
}

interface OpeningOptions extends MigrationOptions {
  readonly pace: CompletionPace
}

/** Opens the connection that writes, and makes the file fit for the collections. */
async function open(
  file: string,
  collections: readonly Collection[],
  log: Log,
  { pace, schema, cipher }: OpeningOptions,
): Promise<{ writer: SqliteConnection; rest: Completion }> {
  const database = openWriter(file, (opened) => checkFile(opened, file, schema))
  try {
    const writer = sqliteConnection(database, file)
    const found = tableNames(database)
    const tables = catalogue(collections, sqliteDialect, found)
    const unfinished = await migrate(database, writer, tables, log, { schema, cipher })
    for (const statement of takeOver) database.exec(statement)
    const rest = completion(collections, found, unfinished, sqliteDialect, log, cipher)
    await rest.run(alone(writer), async (rows) => rows < pace.rowsAtStart)
    // From here on the group commit waits for the disk, and not each commit of this connection.
    writer.now('pragma synchronous = normal')
    return { writer, rest }
  } catch (error) {
    database.close()
    throw error
  }
}

/** Runs work in a transaction before any other writer exists. */
function alone(writer: SqliteConnection): Transact {
  return (work) => inTransaction(writer, () => work(writer))
}

/**
 * This process holds the lock, so the file's former process is dead: its claims are due again, and its
 * consumers released.
 */
const takeOver = [
  'update submissions set claimed_until = 0, due_at = 0 where claimed_until is not null',
  'update consumers set owner = null, lease_expires_at = 0 where owner is not null',
]

/** Empties the write-ahead log into the file, so that the file alone is the whole store. */
function closeWriter(writer: SqliteConnection): void {
  try {
    writer.now('pragma wal_checkpoint(truncate)')
  } finally {
    writer.close()
  }
}
