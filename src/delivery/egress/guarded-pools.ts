import { Pool } from 'undici'
import type { Clock } from '../../core/ports/clock.ts'
import { guardedConnector, type ConnectParts } from './connect.ts'
import { pools, type Pools } from './pools.ts'

/** The most octets of an answer's header. */
const headerBytesMax = 16 * 1024

/** What a way out needs. */
export interface WayOutParts extends ConnectParts {
  readonly clock: Clock
}

/** Connections for each origin, at most so many to one: through the guard, over HTTP/1.1, kept. */
export function guardedPools(parts: WayOutParts, connections: number): Pools {
  const connect = guardedConnector(parts)
  const open = (origin: string): Pool =>
    new Pool(origin, {
      connect,
      connections,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      // The deadline of the whole exchange stands above these.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  return pools(open, parts.clock)
}
