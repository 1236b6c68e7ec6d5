import { type Clock, systemClock, wait } from '../../core/ports/clock.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import { type Random, systemRandom } from '../../core/ports/random.ts'
import type { Store } from '../../core/ports/store.ts'
import { listeners } from '../commit.ts'
import { completeOnline, type Completion, completion } from '../sql/declarations/completion.ts'
import type { SecretCipher } from '../secret-cipher.ts'
import { type FindKey, latestKeyFinder } from '../sql/rows/find-key.ts'
import { KnownQueues } from '../sql/queues/known-queues.ts'
import { sqlReader } from '../sql/rows/reader.ts'
import { type MakeSession, sessions } from '../sql/session.ts'
import { runTransaction } from '../sql/transaction.ts'
import { workOn } from '../sql/work.ts'
import { type Address, readAddress } from './connection/address.ts'
import { currentSchema, type StoreSchema } from '../sql/tables/schema-change.ts'
import { distributedDialect, postgresDialect } from './dialect.ts'
import { asFault } from './connection/fault.ts'
import { coalesced } from './commits/coalesced.ts'
import { logReader } from './log/log.ts'
import type { PlantedFaults } from './log/planted-faults.ts'
import { type ConnectionPools, lanesOf } from './connection/connection-pools.ts'
import { type Migrated, type Migration, migrate } from './schema/migrate.ts'
import { connectTo } from './connection/servers.ts'
import { receiptRoutes } from './citus/receipt-routes.ts'
import { maintenance } from './maintain.ts'
import { latestLayout, type LatestLayout } from './citus/latest-layout.ts'
import { setUp } from './schema/set-up.ts'
import type { Transactions } from './connection/transactions.ts'
import { boundedReads, queueNameOf } from '../sql/lists/bounded-reads.ts'
import { storeHealth } from './store-health.ts'
import { queryExecutor } from './query-executor.ts'
import { takeFirstStatistics } from './first-statistics.ts'
import { vacuumQueues } from './vacuum-queues.ts'
import { wakeUps, type WakeUpParts, type WakeUps } from './commits/wake-ups.ts'

/** Options that are rarely set. */
export interface PostgresOptions {
  readonly clock?: Clock
  readonly random?: Random
  /** For tests of migrations. */
  readonly schema?: StoreSchema
  /** Encrypts secrets; null: they are stored in clear. */
  readonly cipher?: SecretCipher | null
  /** For tests of the tests. */
  readonly faults?: PlantedFaults
}

const usual = {
  clock: systemClock,
  random: systemRandom,
  schema: currentSchema,
  cipher: null,
  faults: {},
}

/** Rests between two slices of rows of an earlier declaration, which other works need, too. */
const completionRestMs = 5

/**
 * Opens a store in a PostgreSQL database, which several nodes share. Creates missing tables. If
 * declarations changed, the store updates instances in the background and answers as if they were updated
 * already. Throws, each with the remedy, `StoreUnavailable` if the database cannot be used, and
 * `DeclarationError` if a changed declaration would lose stored data.
 */
export async function postgresStore(
  url: string,
  collections: readonly Collection[],
  log: Log = () => {},
  options: PostgresOptions = {},
): Promise<Store> {
  const { clock, random, schema, cipher, faults } = { ...usual, ...options }
  const address = readAddress(url)
  const migration = { collections, clock, log, schema, cipher }
  const { found, unfinished, layout } = await prepare(address, migration)
  const rest = completion(collections, found, unfinished, postgresDialect, log, cipher)
  const told = listeners((error) => log('error', 'commit listener failed', { error }))
  const { isDistributed } = layout
  const parts = { clock, random, log, faults, layout }
  const lanes = lanesOf(address, parts, (effects) => wake.committed(effects))
  const wake: WakeUps = wakeUps({
    ...lineOf(address, random),
    listeners: told,
    clock,
    log,
  })
  const findKey = latestKeyFinder(rest, postgresDialect)
  const dialect = isDistributed ? distributedDialect : postgresDialect
  const session = sessions(rest, dialect)
  const current = latestLayout(layout, { loops: lanes.loops, clock, log })
  const administered = { ...lanes, address, clock, log }
  const vacuum = vacuumQueues(administered)
  const statistics = takeFirstStatistics(administered)
  const upkeep = startUpkeep(rest, { writes: lanes.writes, clock, log })
  const close = once(async () => {
    const kept = [upkeep, current, vacuum, statistics].map((each) => each[Symbol.asyncDispose]())
    await Promise.all([...kept, lanes.close(), wake[Symbol.asyncDispose]()])
  })

  return {
    name: 'postgres',
    isShared: true,
    ...readsOf(rest, lanes),
    ...writesOf(lanes.writes, session, current),
    ...(isDistributed ? { routes: receiptRoutes({ ...lanes, layout: current.layout }) } : {}),
    findKey: keyLookup(lanes.reads, findKey),
    log: logReader({ transactions: lanes.loops, faults }),
    maintain: maintenance({ ...lanes, ...current, address, rest, dialect, clock, log }),
    health: storeHealth(lanes),
    onCommit: told.add,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns how the nodes hear of each other, and the name of this one among them. */
function lineOf(
  { direct, directServers }: Address,
  random: Random,
): Pick<WakeUpParts, 'direct' | 'servers' | 'node'> {
  const node = Buffer.from(random.bytes(9)).toString('base64url')
  return { direct, servers: directServers, node }
}

/** Runs transactions, each on the servers of its shard. */
function writesOf(
  writes: Transactions,
  session: MakeSession,
  { layout }: LatestLayout,
): Pick<Store, 'transact' | 'shards' | 'shardOf'> {
  const queues = new KnownQueues()
  return {
    transact: (work, mode, shard) =>
      writes[mode === 'TOGETHER' ? 'writeTogether' : 'write'](
        (connection, { effects, ...turn }) => {
          const onShard = { ...session(connection), slices: layout().slicesOf(shard) }
          return runTransaction(workOn(onShard, queues, effects, turn), work)
        },
        shard,
      ),
    shards: () => layout().shards,
    shardOf: (account) => layout().shardOf(account),
  }
}

/** Reads on one pool if they are cheap, on another with a time limit if not. */
function readsOf(rest: Completion, pools: ConnectionPools): Pick<Store, 'read' | 'page' | 'count'> {
  const session = sessions(rest, postgresDialect)
  const read: Store['read'] = (account, work) =>
    pools.reads.read(
      (connection) => work(sqlReader(session(connection), account)),
      queueNameOf(account),
    )
  const parts = () => ({ catalogue: rest.tables, dialect: postgresDialect })
  return { read, ...boundedReads({ session: parts, executor: queryExecutor(pools), read }) }
}

/** Starts the completion of rows of earlier declarations in the background. */
function startUpkeep(rest: Completion, { writes, clock, log }: Upkeep): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const completing = completeOnline(
    rest,
    (work) => writes.write((connection) => work(connection)),
    () => wait(clock, completionRestMs, signal),
    () => !signal.aborted,
    log,
  )
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await completing
    },
  }
}

interface Upkeep {
  readonly writes: Transactions
  readonly clock: Clock
  readonly log: Log
}

/** Coalesces concurrent lookups into one query. */
function keyLookup(reads: Transactions, find: FindKey): Store['findKey'] {
  return coalesced((digests) =>
    reads.read((connection) => Promise.all(digests.map((digest) => find(connection, digest)))),
  )
}

/** Does a thing once, however often it is asked for. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}

/** Makes the database fit for the collections. */
async function prepare(
  { direct, directServers }: Address,
  given: Omit<Migration, 'connection'>,
): Promise<Migrated> {
  try {
    const config = await connectTo(direct, directServers)
    return await setUp(config, (connection) => migrate({ ...given, connection }))
  } catch (error) {
    throw asFault(error)
  }
}
