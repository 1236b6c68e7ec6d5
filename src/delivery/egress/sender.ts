import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/ports/clock.ts'
import type { OutgoingRequest, SendHttp, Sent } from '../../core/ports/outgoing-request.ts'
import { retryAfterMs } from '../attempts/schedule.ts'
import { answerBytesMax, exchangeHttp, type ExchangeEnd, failure } from './exchange-http.ts'
import { guardedPools, type WayOutParts } from './pools.ts'

/** HTTP client for any method, with connection pools. */
export interface HttpSender extends AsyncDisposable {
  readonly send: SendHttp
}

/** Maximum connections to one origin: each carrier's window is smaller. */
export const connectionsMax = 256

/** Creates the HTTP client for carriers: through the egress filter, over HTTP/1.1 with keep-alive. */
export function sender(parts: WayOutParts): HttpSender {
  const { clock } = parts
  const perOrigin = guardedPools(parts, connectionsMax)

  return {
    send: async (request, signal) => {
      const loan = perOrigin.borrow(request.url.origin)
      try {
        return await sendRequest(loan.pool, request, clock, signal)
      } finally {
        loan.giveBack()
      }
    },
    [Symbol.asyncDispose]: () => perOrigin[Symbol.asyncDispose](),
  }
}

/**
 * Sends one request over `pool` and reads the response; never throws. One deadline covers all of
 * it. A failure before a connection existed means that nothing was sent; after that it is
 * uncertain.
 */
export async function sendRequest(
  pool: Dispatcher,
  request: OutgoingRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Sent> {
  const { timeoutMs } = request
  const bounds = { timeoutMs, keptBytesMax: answerBytesMax, clock, signal }
  const { ending, hasLeft, head, body } = await exchangeHttp(pool, asDispatched(request), bounds)
  if (head === null) {
    return { kind: hasLeft ? 'UNANSWERED' : 'NOT_SENT', detail: detailOf(ending, timeoutMs) }
  }
  const { status, retryAfter, at } = head
  const isWhole = ending.kind === 'WHOLE' || ending.kind === 'TOO_LONG'
  return { kind: 'ANSWERED', status, retryAfterMs: retryAfterMs(retryAfter, at), body, isWhole }
}

function asDispatched({ method, url, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  return { method, path: `${url.pathname}${url.search}`, headers, body }
}

/** Why there is no answer. */
function detailOf(ending: ExchangeEnd, timeoutMs: number): string {
  switch (ending.kind) {
    case 'CALLED_OFF':
      return 'there was no time left'
    case 'LATE':
      return `no answer within ${timeoutMs} ms`
    case 'TOO_LONG':
      return 'its answer is too long'
    case 'WHOLE':
      return 'no answer'
    case 'FAILED':
      return clauseOf(ending.error)
  }
}

function clauseOf(error: unknown): string {
  const outcome = failure(error)
  return 'detail' in outcome ? outcome.detail : 'the connection failed'
}
