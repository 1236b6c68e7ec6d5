import type { Clock } from '../../core/ports/clock.ts'
import { exchangeHttp, type ExchangeEnd } from './exchange-http.ts'
import { failure } from './failure.ts'
import { answered, type Outcome } from '../attempts/outcome.ts'
import type { PooledConnection } from './pools.ts'
import type { PostRequest, Posted } from './post.ts'

/** Of an answer so much is kept. */
const keptBytesMax = 4 * 1024

/**
 * Sends one request over a connection that is lent to `path`, reads the answer, and gives it back;
 * never throws. One deadline holds for all of it: to connect, to send, the header, the body. The
 * status decides as soon as it is there: a body that does not end, is too long, or breaks off changes
 * nothing of what the receiver has said.
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

/** What is whole leaves nothing in a decoder, so that one serves all. */
const decoder = new TextDecoder()

/**
 * Reads octets as UTF-8. What is invalid becomes U+FFFD, and U+0000 is dropped: not every store can
 * keep it. A character that the cut has split is left out.
 */
export function startOfText(octets: Uint8Array, isCut: boolean): string {
  const text = isCut ? new TextDecoder().decode(octets, { stream: true }) : decoder.decode(octets)
  return text.replaceAll('\u0000', '')
}
