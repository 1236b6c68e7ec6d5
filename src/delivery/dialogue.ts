import type { Dispatcher } from 'undici'
import type { Clock } from '../core/clock.ts'
import type { OutgoingRequest, Sent } from '../core/outgoing-request.ts'
import { failure } from './failure.ts'
import { retryAfterMs } from './schedule.ts'

/** Of an answer no more is read than this; then the connection is closed. */
const answerBytesMax = 64 * 1024

/** The deadline for the whole dialogue is over, or it is called off. */
class HungUp extends Error {
  override readonly name = 'HungUp'
}

/**
 * Sends one request over `pool` and reads the answer; never throws. One deadline holds for all of it.
 * What ends it before a connection stood was surely not sent; what ends it afterwards may have been.
 */
export function dialogue(
  pool: Dispatcher,
  request: OutgoingRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((resolve) => {
    const answer = reading(clock)
    let isOver = false
    let hasLeft = false
    let hangUp = (): void => {}

    const end = (detail: string, isWhole = false): void => {
      if (isOver) return
      isOver = true
      cancelDeadline()
      signal.removeEventListener('abort', stop)
      const otherwise: Sent = { kind: hasLeft ? 'UNANSWERED' : 'NOT_SENT', detail }
      resolve(answer.sent(otherwise, isWhole))
    }
    const stop = (): void => {
      end('there was no time left')
      hangUp()
    }
    const cancelDeadline = clock.after(request.timeoutMs, () => {
      end(`no answer within ${request.timeoutMs} ms`)
      hangUp()
    })
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })

    pool.dispatch(asDispatched(request), {
      onRequestStart: (controller) => {
        hangUp = () => controller.abort(new HungUp())
        // It waited for a connection until its time was over: it must not be sent now.
        if (isOver) hangUp()
        else hasLeft = true
      },
      onResponseStart: (_, status, headers) => answer.begin(status, headers['retry-after']),
      onResponseData: (_, chunk) => {
        if (answer.add(chunk)) return
        end('its answer is too long', true)
        hangUp()
      },
      onResponseEnd: () => end('no answer', true),
      onResponseError: (_, error) => end(clauseOf(error)),
    })
  })
}

function asDispatched({ method, url, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  return { method, path: `${url.pathname}${url.search}`, headers, body }
}

function clauseOf(error: unknown): string {
  const outcome = failure(error)
  return 'detail' in outcome ? outcome.detail : 'the connection failed'
}

/** An answer as it comes in. */
function reading(clock: Clock) {
  let head: { readonly status: number; readonly retryAfterMs: number | null } | null = null
  const kept: Buffer[] = []
  let bytes = 0

  return {
    begin: (status: number, retryAfter: string | string[] | undefined): void => {
      const isInterim = status < 200
      if (isInterim) return
      const given = typeof retryAfter === 'string' ? retryAfter : null
      head = { status, retryAfterMs: retryAfterMs(given, clock.now()) }
    },
    /** Tells whether more may be read. */
    add: (chunk: Buffer): boolean => {
      kept.push(chunk.subarray(0, Math.max(answerBytesMax - bytes, 0)))
      bytes += chunk.length
      return bytes <= answerBytesMax
    },
    sent: (otherwise: Sent, isWhole: boolean): Sent =>
      head === null ? otherwise : { kind: 'ANSWERED', ...head, body: Buffer.concat(kept), isWhole },
  }
}
