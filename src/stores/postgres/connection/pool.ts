import { type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { PoolUse } from '../../../core/ports/store-health.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { asFault, isOfReadOnlyServer } from './fault.ts'
import { fairQueue } from '../../sql/lists/fair-queue.ts'
import { isReadOnly, type Servers } from './servers.ts'
import type { Watch } from '../commits/watch.ts'

/** Work on a connection that was lent. */
type Borrower<T> = (client: PoolClient, spoil: () => void) => Promise<T>

/** Connections that are lent out one at a time. */
export interface Lending {
  /**
   * Runs work on a connection. It is not lent again where the work says that it is spoilt. Works of one `turn` wait in
   * their order; those of several take turns.
   */
  lend<T>(work: Borrower<T>, turn?: string): Promise<T>
  use(): PoolUse
  close(): Promise<void>
}

/** An idle connection is closed after this time. */
const idleMs = 60_000

/** Bound of the queue for connections. Beyond it, an early refusal is kinder. */
const waitingMax = 10_000

/** Time that a work waits for a connection, unless the configuration says it. In milliseconds. */
const usualWaitMs = 1500

/** Dependencies of a pool. */
export interface PoolParts {
  readonly name: string
  readonly config: ClientConfig
  readonly servers: Servers
  readonly max: number
  readonly watch: Watch
  readonly clock: Clock
  readonly log: Log
}

/**
 * Creates a pool of at most `max` connections. Statements on a connection are sent immediately, without
 * waiting for earlier responses. If an idle connection fails, the error is logged and the connection
 * dropped.
 */
export function lending({ name, config, servers, max, watch, clock, log }: PoolParts): Lending {
  const turns = turnsAt({ name, max, clock, waitMs: config.connectionTimeoutMillis ?? usualWaitMs })
  const origins: Origins = new WeakMap()
  const pool = poolOf(config, max, servers, origins)
  // The pool adds the whole client to the error: the message says enough.
  pool.on('error', ({ message }) => log('warn', 'idle store connection failed', { cause: message }))
  const atWork = new Set<Promise<void>>()
  let closed = false

  const lendOne = async <T>(work: Borrower<T>, turn: string): Promise<T> => {
    if (closed) throw new StoreUnavailable('the store is closed')
    const free = await turns.take(turn)
    try {
      const client = await connectFrom(pool, servers, origins).catch((error: unknown) => {
        throw asFault(error)
      })
      return await workOn(client, { servers, watch }, work)
    } finally {
      free()
    }
  }

  return {
    lend: (work, turn = '') => {
      const lent = lendOne(work, turn)
      const settled = lent.then(
        () => {},
        () => {},
      )
      atWork.add(settled)
      void settled.then(() => atWork.delete(settled))
      return lent
    },
    use: () => {
      const { totalCount, idleCount } = pool
      return { name, busy: totalCount - idleCount, waiting: turns.waiting(), max }
    },
    close: async () => {
      closed = true
      await Promise.all(atWork)
      await pool.end()
    },
  }
}

interface TurnParts extends Pick<PoolParts, 'name' | 'max' | 'clock'> {
  readonly waitMs: number
}

/** Returns how works wait for a connection to be free, and how they free it again. */
function turnsAt({ name, max, clock, waitMs }: TurnParts) {
  const turns = fairQueue(max, { running: max, waiting: waitingMax })
  const busy = (): never => {
    throw new StoreUnavailable(`PostgreSQL: all ${max} connections of the pool "${name}" are busy`)
  }
  return {
    waiting: turns.waiting,
    take: async (turn: string): Promise<() => void> => {
      if (turns.waiting() >= waitingMax) {
        throw new StoreUnavailable(`${waitingMax} transactions are waiting`)
      }
      return turns.take(turn, (leave) => clock.after(waitMs, leave)).catch(busy)
    },
  }
}

async function workOn<T>(
  client: PoolClient,
  { servers, watch }: Pick<PoolParts, 'servers' | 'watch'>,
  work: Borrower<T>,
): Promise<T> {
  const done = watch.begin(client)
  let spoilt = false
  const ignore = (): void => {}
  // Without a listener an error of a connection would end the process.
  client.on('error', ignore)
  try {
    return await work(client, () => (spoilt = true))
  } catch (error) {
    if (isOfReadOnlyServer(error)) {
      spoilt = true
      servers.find().catch(ignore)
    }
    throw error
  } finally {
    done()
    client.removeListener('error', ignore)
    client.release(spoilt)
  }
}

/** The server of each connection, if there are several servers. */
type Origins = WeakMap<ClientBase, string>

async function connectFrom(pool: Pool, servers: Servers, origins: Origins): Promise<PoolClient> {
  for (;;) {
    if (servers.isSeveral && pool.idleCount === 0) {
      pool.options.connectionString = await servers.find()
    }
    const client = await pool.connect()
    const origin = origins.get(client)
    if (origin === undefined || origin === servers.current()) return client
    // Another server accepts the writes since.
    client.release(true)
  }
}

function poolOf(client: ClientConfig, max: number, servers: Servers, origins: Origins): Pool {
  const config: PoolConfig & { readonly pipeline: boolean } = {
    ...client,
    max,
    idleTimeoutMillis: idleMs,
    pipeline: true,
  }
  const pool = new Pool(config)
  if (!servers.isSeveral) return pool
  // Between the look for a server and the connection it may have become a replica.
  const check = async (connected: ClientBase): Promise<void> => {
    origins.set(connected, pool.options.connectionString ?? '')
    if (await isReadOnly(connected)) throw new StoreUnavailable('PostgreSQL: it only reads')
  }
  pool.options.onConnect = check
  return pool
}
