import { type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../../../core/ports/log.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { asFault } from './fault.ts'
import type { Watch } from '../commits/watch.ts'

/** Connections that are lent out one at a time. */
export interface Lending {
  /** Runs work on a connection. It is not lent again where the work says that it is spoilt. */
  lend<T>(work: (client: PoolClient, spoil: () => void) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** So long a connection that nobody uses is kept. */
const idleMs = 60_000

/** So many may wait for a connection; beyond, refusing early is kinder. */
const waitingMax = 10_000

/**
 * Makes a pool of at most `max` connections. What is asked of one goes out at once, without waiting
 * for the answers before it. An error of an idle connection is noted and the connection forgotten.
 */
export function lending(client: ClientConfig, max: number, watch: Watch, log: Log): Lending {
  const pool = poolOf(client, max)
  // The pool adds the whole client to the error: the message says enough.
  pool.on('error', ({ message }) => log('warn', 'idle store connection failed', { cause: message }))
  const atWork = new Set<Promise<void>>()
  let closed = false

  const borrow = async (): Promise<PoolClient> => {
    if (closed) throw new StoreUnavailable('the store is closed')
    if (pool.waitingCount >= waitingMax) {
      throw new StoreUnavailable(`${waitingMax} transactions are waiting`)
    }
    try {
      return await pool.connect()
    } catch (error) {
      throw asFault(error)
    }
  }

  const lend = async <T>(
    work: (client: PoolClient, spoil: () => void) => Promise<T>,
  ): Promise<T> => {
    const client = await borrow()
    const done = watch.begin(client)
    let spoilt = false
    const ignore = (): void => {}
    // Without a listener an error of a connection would end the process.
    client.on('error', ignore)
    try {
      return await work(client, () => (spoilt = true))
    } finally {
      done()
      client.removeListener('error', ignore)
      client.release(spoilt)
    }
  }

  return {
    lend: (work) => {
      const lent = lend(work)
      const settled = lent.then(
        () => {},
        () => {},
      )
      atWork.add(settled)
      void settled.then(() => atWork.delete(settled))
      return lent
    },
    close: async () => {
      closed = true
      await Promise.all(atWork)
      await pool.end()
    },
  }
}

function poolOf(client: ClientConfig, max: number): Pool {
  const config: PoolConfig & { readonly pipeline: boolean } = {
    ...client,
    max,
    idleTimeoutMillis: idleMs,
    pipeline: true,
  }
  return new Pool(config)
}
