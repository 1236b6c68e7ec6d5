import { deadlines } from './deadlines.ts'
import { exchange } from './exchange.ts'
import { guardedPools, type WayOutParts } from './guarded-pools.ts'
import type { Post } from './post.ts'
import { testsMax } from '../rules/test-limits.ts'
import { defaultTurnLimits } from '../workers/concurrency-limiter.ts'

/** HTTP client with connection pools. */
export interface Poster extends AsyncDisposable {
  readonly post: Post
}

/**
 * Maximum connections to one origin: the number of its webhooks that are served or tested
 * simultaneously.
 */
export const connectionsMax =
  defaultTurnLimits.perOrigin +
  defaultTurnLimits.unprovenPerOrigin +
  defaultTurnLimits.stalledPerOrigin +
  defaultTurnLimits.failingPerOrigin +
  testsMax

/** Creates the HTTP client for webhooks: through the egress filter, over HTTP/1.1 with keep-alive. */
export function poster(parts: WayOutParts): Poster {
  const clock = deadlines(parts.clock)
  const perOrigin = guardedPools(parts, connectionsMax)

  return {
    post: (request, signal) => {
      const { origin, path } = addressOf(request.url)
      return exchange(perOrigin.borrow(origin), path, request, clock, signal)
    },
    [Symbol.asyncDispose]: () => perOrigin[Symbol.asyncDispose](),
  }
}

/** URL in undici's form. */
interface Address {
  readonly origin: string
  readonly path: string
}

/** A webhook keeps its URL: its parts are put together once. */
const addresses = new WeakMap<URL, Address>()

function addressOf(url: URL): Address {
  const known = addresses.get(url)
  if (known !== undefined) return known
  const address = { origin: url.origin, path: `${url.pathname}${url.search}` }
  addresses.set(url, address)
  return address
}
