import { deadlines } from './deadlines.ts'
import { exchange } from './exchange.ts'
import { guardedPools, type WayOutParts } from './guarded-pools.ts'
import type { Post } from './post.ts'
import { testsMax } from '../rules/test-limits.ts'
import { defaultTurnLimits } from '../workers/concurrency-limiter.ts'

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

/** Makes the one way out: through the guard, over HTTP/1.1, with connections kept for each origin. */
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

/** What a URL is for undici. */
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
