import type { Clock } from '../../core/ports/clock.ts'
import { testsMax } from '../rules/test-limits.ts'
import { defaultTurnLimits } from '../workers/concurrency-limiter.ts'
import { exchangeHttp, type ExchangeEnd, failure } from './exchange-http.ts'
import { guardedPools, type PooledConnection, type WayOutParts } from './pools.ts'
import { type Post, type PostRequest, type Posted, answered, type Outcome } from './post.ts'

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

/** Maximum stored octets of a response. */
const keptBytesMax = 4 * 1024

/**
 * Sends one request over a pooled connection to `path`, reads the response, and returns the
 * connection; never throws. One deadline covers connecting, sending, header and body. The status
 * decides as soon as it arrives: an endless, long or broken body does not change the outcome.
 */
export async function exchange(
  loan: PooledConnection,
  path: string,
  { headers, body, timeoutMs }: PostRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Posted> {
  const request = { method: 'POST', path, headers, body } as const
  const heard = await exchangeHttp(loan.pool, request, { timeoutMs, keptBytesMax, clock, signal })
  loan.giveBack()
  const { head, ending, bytes } = heard
  if (head === null) return { outcome: unanswered(ending, timeoutMs), response: null }
  return {
    outcome: answered(head.status, head.retryAfter),
    response: bytes === 0 ? '' : startOfText(heard.body, bytes > keptBytesMax),
  }
}

function unanswered(ending: ExchangeEnd, timeoutMs: number): Outcome {
  switch (ending.kind) {
    case 'CALLED_OFF':
      return { kind: 'UNREACHABLE', detail: 'the service stopped' }
    case 'FAILED':
      return failure(ending.error)
    case 'LATE':
    case 'TOO_LONG':
    case 'WHOLE':
      return { kind: 'TIMEOUT', detail: `no answer within ${timeoutMs} ms` }
  }
}

/** One decoder serves all: without streaming it keeps no state. */
const decoder = new TextDecoder()

/**
 * Decodes octets as UTF-8. Invalid octets become U+FFFD; U+0000 is dropped, because not every store
 * accepts it. A character split by the cut is dropped.
 */
export function startOfText(octets: Uint8Array, isCut: boolean): string {
  const text = isCut ? new TextDecoder().decode(octets, { stream: true }) : decoder.decode(octets)
  return text.replaceAll('\u0000', '')
}

/** Pending deadline. */
interface Waiting {
  readonly due: number
  readonly wake: () => void
}

/**
 * Creates a clock for waits that are nearly always cancelled, such as request deadlines. Waits of
 * equal length share one timer, because the first one started is the first one due. Separate timers
 * would be armed and disarmed thousands of times a second.
 */
export function deadlines(clock: Clock): Clock {
  /** By their length. A set keeps the order. */
  const queues = new Map<number, Set<Waiting>>()

  const arm = (delayMs: number, queue: Set<Waiting>): void => {
    const [first] = queue
    if (first === undefined) queues.delete(delayMs)
    else clock.after(first.due - clock.monotonic(), () => wakeDue(delayMs, queue))
  }
  const wakeDue = (delayMs: number, queue: Set<Waiting>): void => {
    const now = clock.monotonic()
    for (const waiting of queue) {
      if (waiting.due > now) break
      queue.delete(waiting)
      waiting.wake()
    }
    arm(delayMs, queue)
  }

  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, wake) => {
      const waiting = { due: clock.monotonic() + delayMs, wake }
      const known = queues.get(delayMs)
      const queue = known ?? new Set<Waiting>()
      queue.add(waiting)
      if (known === undefined) {
        queues.set(delayMs, queue)
        arm(delayMs, queue)
      }
      return () => void queue.delete(waiting)
    },
  }
}
