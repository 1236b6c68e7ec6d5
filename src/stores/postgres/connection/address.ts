import type { ClientConfig } from 'pg'
import { StoreUnavailable } from '../../../core/ports/store.ts'

/** Where a PostgreSQL is and how it is used, as the URL of the store says. */
export interface Address {
  /** For the transactions of the service. */
  readonly client: ClientConfig
  /** For what needs a connection of its own: notices of other nodes, and changes of tables. */
  readonly direct: ClientConfig
  /** The most connections of this node for transactions. */
  readonly connectionsMax: number
  /** Whether a pool such as PgBouncer hands out another connection with each transaction. */
  readonly isPooled: boolean
  /** Whether statements are prepared once for each connection. */
  readonly isPrepared: boolean
}

const usualConnections = 20
const connectionsLeast = 3

/** How long the server may take for one statement. */
const statementMs = 30_000
/** How long a statement waits for what other transactions hold. */
const lockMs = 1500
/** How long a transaction may lie there without a statement. */
const idleMs = 10_000
/** How long a connection may take to be there. */
const connectMs = 1500

/**
 * Reads the URL of a store. Besides what every PostgreSQL URL has, these parameters are its own:
 * `connections`, `pooled=true` where a pool such as PgBouncer hands out another connection with each
 * transaction, `direct=<url>` past that pool, `prepare=false`.
 */
export function readAddress(url: string): Address {
  const parsed = new URL(url)
  const take = (name: string): string | null => {
    const value = parsed.searchParams.get(name)
    parsed.searchParams.delete(name)
    return value
  }
  const isPooled = take('pooled') === 'true'
  const isPrepared = (take('prepare') ?? 'true') === 'true'
  const connectionsMax = Number(take('connections') ?? usualConnections)
  const direct = take('direct')
  if (!Number.isInteger(connectionsMax) || connectionsMax < connectionsLeast) {
    throw new StoreUnavailable(`connections in NUNCIO_STORE must be ${connectionsLeast} or more`)
  }
  return {
    client: { ...common(parsed.href), ...(isPooled ? {} : limits) },
    direct: common(direct ?? parsed.href),
    connectionsMax,
    isPooled,
    isPrepared,
  }
}

/** A pool refuses parameters that it does not know; there they belong to the role. */
const limits = {
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleMs,
}

function common(connectionString: string): ClientConfig {
  return {
    connectionString,
    application_name: 'nuncio',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  }
}
