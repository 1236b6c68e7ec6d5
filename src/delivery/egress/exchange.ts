import type { Clock } from '../../core/ports/clock.ts'
import { exchangeHttp, type ExchangeEnd } from './exchange-http.ts'
import { failure } from './failure.ts'
import { answered, type Outcome } from '../attempts/outcome.ts'
import type { PooledConnection } from './pools.ts'
import type { PostRequest, Posted } from './post.ts'

/** Maximum stored octets of a response. */
const keptBytesMax = 4 * 1024

/**
 * Sends one request over a pooled connection to `path`, reads the response, and returns the
 * connection;
 * never throws. One deadline covers connecting, sending, header and body. The status decides as
 * soon as it
 * arrives: an endless, long or broken body does not change the outcome.
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
 * accepts
 * it. A character split by the cut is dropped.
 */
export function startOfText(octets: Uint8Array, isCut: boolean): string {
  const text = isCut ? new TextDecoder().decode(octets, { stream: true }) : decoder.decode(octets)
  return text.replaceAll('\u0000', '')
}
