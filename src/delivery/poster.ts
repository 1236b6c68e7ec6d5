import { Pool } from 'undici'
import type { Clock } from '../core/clock.ts'
import { guardedConnector, type ConnectParts } from './connect.ts'
import { exchange } from './exchange.ts'
import { pools } from './pools.ts'
import type { Post } from './post.ts'
import { testsMax } from './test-limits.ts'
import { defaultTurnLimits } from './turns.ts'

/** Sends requests over kept connections. */
export interface Poster extends AsyncDisposable {
  readonly post: Post
}

/** The most connections to one origin: as many as webhooks are worked on, or tested, at once that lead there. */
export const connectionsMax =
  defaultTurnLimits.perOrigin +
  defaultTurnLimits.unprovenPerOrigin +
  defaultTurnLimits.stalledPerOrigin +
  defaultTurnLimits.failingPerOrigin +
  testsMax

/** The most octets of an answer's header. */
const headerBytesMax = 16 * 1024

/** Makes the one way out: through the guard, over HTTP/1.1, with connections kept for each origin. */
export function poster(parts: ConnectParts & { readonly clock: Clock }): Poster {
  const { clock } = parts
  const connect = guardedConnector(parts)
  const open = (origin: string): Pool =>
    new Pool(origin, {
      connect,
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      // The deadline of the exchange stands above these.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const perOrigin = pools(open, clock)

  return {
    post: async (request, signal) => {
      const loan = perOrigin.borrow(request.url.origin)
      try {
        return await exchange(loan.pool, request, clock, signal)
      } finally {
        loan.giveBack()
      }
    },
    [Symbol.asyncDispose]: () => perOrigin[Symbol.asyncDispose](),
  }
}
