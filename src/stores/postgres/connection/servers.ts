import { Client, type ClientBase, type ClientConfig } from 'pg'
import { postgresHosts } from '../../../core/postgres-urls.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'

/** The servers in a URL; one of them accepts writes. */
export interface Servers {
  readonly isSeveral: boolean
  /** Returns the URL of the server that was found last. */
  current(): string
  /** Returns the URL of the server that accepts writes. Throws `StoreUnavailable` if none does. */
  find(): Promise<string>
  /** Calls `listener` if another server was found; returns how to stop. */
  onMove(listener: () => void): () => void
}

/** Returns null if a server accepts writes, else the reason. */
export type Probe = (url: string) => Promise<string | null>

/**
 * Makes the servers of some URLs. The driver knows one host. So, before it connects, the server that was found
 * last is asked whether it accepts writes; if not, all are, and the first that does is taken. A
 * single server is not asked.
 */
export function servers(urls: readonly string[], probe: Probe = probeServer): Servers {
  const listeners = new Set<() => void>()
  let current = urls[0] ?? ''
  let finding: Promise<string> | null = null

  const look = async (): Promise<string> => {
    if ((await probe(current)) === null) return current
    const reasons = await Promise.all(urls.map(probe))
    const found = urls.find((_, index) => reasons[index] === null)
    if (found === undefined)
      throw new StoreUnavailable(`no server accepts writes: ${shown(reasons)}`)
    if (found !== current) {
      current = found
      for (const listener of listeners) listener()
    }
    return current
  }
  const shown = (reasons: readonly (string | null)[]): string =>
    urls.map((each, index) => `${postgresHosts(each)} (${reasons[index]})`).join(', ')

  return {
    isSeveral: urls.length > 1,
    current: () => current,
    find: async () => {
      if (urls.length === 1) return current
      finding ??= look().finally(() => {
        finding = null
      })
      return finding
    },
    onMove: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Time for a server to connect and to respond. */
const probeMs = 1500

/** Asks a server. A replica, and one that was made read-only, say so. */
export async function probeServer(url: string): Promise<string | null> {
  const client = new Client({
    connectionString: url,
    application_name: 'nuncio',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await isReadOnly(client)) ? 'read-only' : null
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  } finally {
    void client.end().catch(() => {})
  }
}

/** Returns true if a server accepts no writes over a connection. */
export async function isReadOnly(client: Pick<ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ readonly transaction_read_only: string }>(
    'show transaction_read_only',
  )
  return rows[0]?.transaction_read_only !== 'off'
}

/** Returns the settings of a connection to the server that accepts writes. */
export async function connectTo(config: ClientConfig, found: Servers): Promise<ClientConfig> {
  return { ...config, connectionString: await found.find() }
}
