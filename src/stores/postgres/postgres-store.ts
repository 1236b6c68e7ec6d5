import { type Clock, systemClock, wait } from '../../core/clock.ts'
import type { Collection } from '../../core/collection.ts'
import type { Log } from '../../core/log.ts'
import { type Random, systemRandom } from '../../core/random.ts'
import type { Store } from '../../core/store.ts'
import { listeners } from '../commit.ts'
import type { Catalogue } from '../sql/catalogue.ts'
import { type Completion, completion } from '../sql/completion.ts'
import type { Connection } from '../sql/connection.ts'
import { type Effort, effort as usualEffort } from '../sql/effort.ts'
import { keyFinder } from '../sql/find-key.ts'
import { sqlReader } from '../sql/reader.ts'
import type { Session } from '../sql/session.ts'
import { sqlTransaction } from '../sql/transaction.ts'
import { workOn } from '../sql/work.ts'
import { type Address, readAddress } from './address.ts'
import { asFault } from './fault.ts'
import { horizonOf } from './horizon.ts'
import { logReader } from './log.ts'
import { migrate } from './migrate.ts'
import { lending } from './pool.ts'
import { setUp } from './set-up.ts'
import { statements } from './statements.ts'
import { transactions, type Transactions } from './transactions.ts'
import { wakeUps, type WakeUps } from './wake-ups.ts'
import { watch } from './watch.ts'

/** What is seldom given. */
export interface PostgresOptions {
  readonly clock?: Clock
  readonly random?: Random
  readonly effort?: Effort
}

/** Rests between two slices of rows of an earlier declaration, which other works need, too. */
const completionRestMs = 5

/**
 * Opens a store in a PostgreSQL database, which several nodes share. Tables are made where there are
 * none. Where declarations have changed, instances are brought up to date while the store answers as
 * if they were already. Throws `StoreUnavailable` where the database cannot be used,
 * `DeclarationError` where a changed declaration would lose what is stored, each with the cure.
 */
export async function postgresStore(
  url: string,
  collections: readonly Collection[],
  log: Log = () => {},
  options: PostgresOptions = {},
): Promise<Store> {
  const { clock = systemClock, random = systemRandom, effort = usualEffort } = options
  const address = readAddress(url)
  const { dialect, found, unfinished, logOffset } = await setUp(address.direct, log, (connection) =>
    migrate({ connection, collections, clock, log }),
  ).catch((error: unknown) => {
    throw asFault(error)
  })
  const rest = completion(collections, found, unfinished, dialect, log)
  const told = listeners((error) => log('error', 'commit listener failed', { error }))
  const lanes = lanesOf(address, { clock, random, log }, () => wake)
  const wake: WakeUps = wakeUps({
    direct: address.direct,
    node: Buffer.from(random.bytes(9)).toString('base64url'),
    listeners: told,
    horizon: () => horizonOf(lanes.loops),
    clock,
    log,
  })
  const findKey = latest(rest, (tables) => keyFinder(tables, dialect))
  const session = (connection: Connection): Session => {
    return { connection, catalogue: rest.tables, dialect, effort, pause: null }
  }
  const stopping = new AbortController()
  const completing = completeOnline(rest, lanes.writes, { clock, log, signal: stopping.signal })
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    stopping.abort()
    await Promise.all([lanes.close(), completing, wake[Symbol.asyncDispose]()])
  }

  return {
    name: 'postgres',
    read: (account, work) =>
      lanes.reads.read((connection) => work(sqlReader(session(connection), account))),
    transact: (work) =>
      lanes.writes.write((connection, effects, isPatient) =>
        work(sqlTransaction(workOn(session(connection), effects, isPatient))),
      ),
    findKey: (digest) => lanes.loops.read((connection) => findKey()(connection, digest)),
    log: logReader({
      transactions: lanes.loops,
      offset: logOffset,
      renew: (work) => setUp(address.direct, log, work),
      now: clock.now,
    }),
    onCommit: told.add,
    [Symbol.asyncDispose]: () => (closing ??= close()),
  }
}

/** Connections apart: who has one may need one of a later kind, and never the other way round. */
interface Lanes {
  readonly writes: Transactions
  readonly reads: Transactions
  /** For what asks one thing at once: the log, keys. */
  readonly loops: Transactions
  close(): Promise<void>
}

function lanesOf(
  address: Address,
  { clock, random, log }: Required<Pick<PostgresOptions, 'clock' | 'random'>> & { log: Log },
  wake: () => WakeUps,
): Lanes {
  const { connectionsMax } = address
  const loops = Math.max(Math.floor(connectionsMax / 5), 1)
  const reads = Math.max(Math.floor((connectionsMax * 3) / 10), 1)
  const watched = watch(address.client, clock)
  const prepare = statements(address.isPrepared)
  const pools = [connectionsMax - loops - reads, reads, loops].map((max) =>
    lending(address, max, watched, log),
  )
  const lane = (at: number): Transactions => {
    const pool = pools[at]
    if (pool === undefined) throw new Error('there is no such lane')
    return transactions({
      lending: pool,
      prepare,
      clock,
      random,
      committed: (effects, horizon) => wake().committed(effects, horizon),
    })
  }
  return {
    writes: lane(0),
    reads: lane(1),
    loops: lane(2),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

/** What is made of the tables, made anew where they are others. */
function latest<T>(rest: Completion, make: (tables: Catalogue) => T): () => T {
  let made = { from: rest.tables, value: make(rest.tables) }
  return () => {
    if (made.from !== rest.tables) made = { from: rest.tables, value: make(rest.tables) }
    return made.value
  }
}

/** Sees to rows of earlier declarations while the store answers. Cut off, the next start goes on. */
async function completeOnline(
  rest: Completion,
  writes: Transactions,
  {
    clock,
    log,
    signal,
  }: { readonly clock: Clock; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await rest.run(
      (work) => writes.write((connection) => work(connection)),
      async () => {
        await wait(clock, completionRestMs, signal)
        return !signal.aborted
      },
    )
  } catch (error) {
    if (signal.aborted) return
    log('error', 'instances are not completed: restart to go on', { error })
  }
}
