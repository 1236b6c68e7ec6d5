import { Pool } from 'undici'
import type { Clock } from '../../core/ports/clock.ts'
import { guardedConnector, type ConnectParts } from './connect.ts'
import { pools, type Pools } from './pools.ts'

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
