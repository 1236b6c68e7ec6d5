import type { ClientConfig } from 'pg'
import { postgresUrls } from '../../../core/postgres-urls.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { servers, type Servers } from './servers.ts'

/** Address of a PostgreSQL database and its settings, from the URL of the store. */
export interface Address {
  /** For the transactions of the service. */
  readonly client: ClientConfig
  /** For dedicated connections: notices of other nodes, and changes of tables. */
  readonly direct: ClientConfig
  /** The servers of `client` and `direct`; the same if both have one URL. */
  readonly servers: Servers
  readonly directServers: Servers
  /** The most connections of this node for transactions. */
  readonly connectionsMax: number
  /** True if a pool such as PgBouncer provides another connection for each transaction. */
  readonly isPooled: boolean
  /** True if statements are prepared once for each connection. */
  readonly isPrepared: boolean
}

const usualConnections = 20
const connectionsLeast = 3

/** Timeout of a statement. */
const statementMs = 30_000
/** Timeout of a wait for locks of other transactions. */
const lockMs = 1500
/** Timeout of a transaction without a statement. */
const idleMs = 10_000
/** Timeout of a connection attempt. */
const connectMs = 1500

/**
 * Reads the URL of a store. Besides what every PostgreSQL URL has, these parameters are its own:
 * `connections`, `pooled=true` where a pool such as PgBouncer hands out another connection with each
 * transaction, `direct=<url>` past that pool, `prepare=false`.
 */
export function readAddress(url: string): Address {
  const parsed = postgresUrls(url).map((each) => new URL(each))
  const take = (name: string): string | null => {
    const value = parsed[0]?.searchParams.get(name) ?? null
    for (const { searchParams } of parsed) searchParams.delete(name)
    return value
  }
  const isPooled = take('pooled') === 'true'
  const isPrepared = (take('prepare') ?? 'true') === 'true'
  const connectionsMax = Number(take('connections') ?? usualConnections)
  const direct = take('direct')
  // Nothing else is of use to the service, so it looks for such a server in any case.
  take('target_session_attrs')
  if (!Number.isInteger(connectionsMax) || connectionsMax < connectionsLeast) {
    throw new StoreUnavailable(`connections in NUNCIO_STORE must be ${connectionsLeast} or more`)
  }
  const found = servers(parsed.map(({ href }) => href))
  const past = direct === null ? null : readAddress(direct)
  return {
    client: { ...common(found.current()), ...(isPooled ? {} : limits) },
    servers: found,
    direct: past?.direct ?? common(found.current()),
    directServers: past?.servers ?? found,
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
