import { isIP, type LookupFunction } from 'node:net'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import type { Clock } from '../../core/ports/clock.ts'
import { type AddressLookup, type EgressGuard, portOf } from './guard.ts'

/** One pool of connections for each origin, made when it is first needed. */
export interface Pools extends AsyncDisposable {
  borrow(origin: string): PooledConnection
}

/** Dependencies of an HTTP client. */
export interface WayOutParts {
  readonly guard: EgressGuard
  readonly lookup: AddressLookup
  readonly clock: Clock
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string
  /** Plural noun of the callers, for the text of a refusal; webhooks by default. */
  readonly who?: string
}

/** Maximum number of pools while one of them is idle. */
const poolsMax = 512

/** Idle time after which a pool is closed, in milliseconds. Its connections close much earlier. */
const idleMsMax = 60_000

/** Creates connection pools by origin, through the egress filter, over HTTP/1.1 with keep-alive. */
export function guardedPools(parts: WayOutParts, connections: number): Pools {
  const { clock } = parts
  const connect = guardedConnector(parts)
  /** The longest unused first. */
  const entries = new Map<string, PooledConnection>()
  /** The last of them. */
  let latest: PooledConnection | null = null

  const closeIdle = (): void => {
    for (const [origin, { pool, loans, usedAt }] of entries) {
      const isOver = clock.monotonic() - usedAt > idleMsMax || entries.size > poolsMax
      if (!isOver) return
      if (loans > 0) continue
      entries.delete(origin)
      void pool.close()
    }
  }

  return {
    borrow: (origin) => {
      const entry =
        entries.get(origin) ?? new PooledConnection(openPool(origin, connect, connections), clock)
      if (entry !== latest) {
        entries.delete(origin)
        entries.set(origin, entry)
        latest = entry
      }
      entry.lend()
      closeIdle()
      return entry
    },
    [Symbol.asyncDispose]: async () => {
      const open = [...entries.values()]
      entries.clear()
      await Promise.all(open.map(({ pool }) => pool.destroy()))
    },
  }
}

/** Connections to one origin, lent for one exchange. */
export class PooledConnection {
  readonly pool: Dispatcher
  readonly #clock: Clock
  loans = 0
  usedAt = 0

  constructor(pool: Dispatcher, clock: Clock) {
    this.pool = pool
    this.#clock = clock
  }

  lend(): void {
    this.loans += 1
    this.usedAt = this.#clock.monotonic()
  }

  giveBack(): void {
    this.loans -= 1
    this.usedAt = this.#clock.monotonic()
  }
}

/** The most octets of an answer's header. */
const headerBytesMax = 16 * 1024

function openPool(origin: string, connect: buildConnector.connector, connections: number): Pool {
  return new Pool(origin, {
    connect,
    connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    // The deadline of the whole exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** The guard lets no connection through. `message` is a clause that names no address: it is shown to tenants. */
export class Blocked extends Error {
  override readonly name = 'Blocked'
}

/** Timeout of a connection, TLS included, in milliseconds. */
export const connectMsMax = 10_000

/** More addresses of a name than this are not tried. */
const addressesMax = 16

/**
 * Makes connections for undici, to addresses that the guard permits and to no other. A name is
 * resolved once, each address is checked, and the connection goes to one of those checked: there
 * is no second look-up that could lead elsewhere. Fails with `Blocked`.
 */
function guardedConnector(parts: WayOutParts): buildConnector.connector {
  const { guard, who = 'webhooks' } = parts
  const connectors = { http: connector('http:', parts), https: connector('https:', parts) }
  return (options, callback) => {
    const { protocol, hostname } = options
    const port = portOf({ port: options.port, protocol })
    if (isIP(hostname) !== 0 && !guard.permits(protocol, hostname, port)) {
      return callback(new Blocked(`its address is not one that ${who} may reach`), null)
    }
    const connect = protocol === 'https:' ? connectors.https : connectors.http
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const peer = socket.remoteAddress
      if (peer !== undefined && guard.permits(protocol, peer, port)) return callback(null, socket)
      socket.destroy()
      callback(new Blocked(`it was connected to an address that ${who} may not reach`), null)
    })
  }
}

function connector(protocol: string, parts: WayOutParts): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: connectMsMax,
    autoSelectFamily: true,
    lookup: checkedLookup(protocol, parts),
    ...(parts.ca === undefined ? {} : { ca: parts.ca }),
  })
}

/** A look-up is for any port: whether it is that of the service itself is checked when it is connected. */
const notYetKnown = 0

/** In the form that `net.connect` asks for; it is not asked where the host is an address. */
function checkedLookup(protocol: string, parts: WayOutParts): LookupFunction {
  const { guard, lookup, who = 'webhooks' } = parts
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      const permitted = addresses
        .filter((address) => guard.permits(protocol, address, notYetKnown))
        .slice(0, addressesMax)
        .map((address) => ({ address, family: isIP(address) }))
      const [first] = permitted
      if (first === undefined) return callback(new Blocked(reason(addresses, who)), '')
      if (options.all === true) return callback(null, permitted)
      callback(null, first.address, first.family)
    }
    lookup(hostname).then(answer, (error: Error) => callback(error, ''))
  }
}

function reason(addresses: readonly string[], who: string): string {
  return addresses.length === 0
    ? 'its name has no address'
    : `its name leads to an address that ${who} may not reach`
}
