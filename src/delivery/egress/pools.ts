import { type Dispatcher, Pool } from 'undici'
import type { Clock } from '../../core/ports/clock.ts'
import { type ConnectParts, guardedConnector } from './connect.ts'

/** Connections to one origin, lent for one exchange. */
export interface PooledConnection {
  readonly pool: Dispatcher
  giveBack(): void
}

/** One pool of connections for each origin, made when it is first needed. */
export interface Pools extends AsyncDisposable {
  borrow(origin: string): PooledConnection
}

/** Maximum number of pools while one of them is idle. */
const poolsMax = 512

/** Idle time after which a pool is closed, in milliseconds. Its connections close much earlier. */
const idleMsMax = 60_000

class Entry implements PooledConnection {
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

/** Makes pools with `open`. */
export function pools(open: (origin: string) => Dispatcher, clock: Clock): Pools {
  /** The longest unused first. */
  const entries = new Map<string, Entry>()
  /** The last of them. */
  let latest: Entry | null = null

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
      const entry = entries.get(origin) ?? new Entry(open(origin), clock)
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

/** The most octets of an answer's header. */
const headerBytesMax = 16 * 1024

/** Dependencies of an HTTP client. */
export interface WayOutParts extends ConnectParts {
  readonly clock: Clock
}

/** Creates connection pools by origin, through the egress filter, over HTTP/1.1 with keep-alive. */
export function guardedPools(parts: WayOutParts, connections: number): Pools {
  const connect = guardedConnector(parts)
  const open = (origin: string): Pool =>
    new Pool(origin, {
      connect,
      connections,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      // The deadline of the whole exchange replaces these.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  return pools(open, parts.clock)
}
