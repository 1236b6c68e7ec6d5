import type { Dispatcher } from 'undici'
import type { Clock, Instant } from '../core/clock.ts'
import { onAbort } from './on-abort.ts'

/** Of an answer no more is read than this; then the connection is closed. */
export const answerBytesMax = 64 * 1024

/** What holds for a request and its answer together. */
export interface Bounds {
  /** For all of it: to connect, to send, the header, the body. */
  readonly timeoutMs: number
  /** Of an answer so much is kept. */
  readonly keptBytesMax: number
  readonly clock: Clock
  /** Calls it off. */
  readonly signal: AbortSignal
}

/** How it ended. */
export type Ending =
  | { readonly kind: 'WHOLE' | 'TOO_LONG' | 'LATE' | 'CALLED_OFF' }
  | { readonly kind: 'FAILED'; readonly error: unknown }

/** What was heard until it ended. */
export interface Heard {
  readonly ending: Ending
  /** A connection stood, so that something may have been sent. */
  readonly hasLeft: boolean
  /** The head of the answer, and when it came; null where none did. */
  readonly head: Head | null
  /** What was kept of the answer, and how many octets it had as far as it was read. */
  readonly body: Buffer
  readonly bytes: number
}

/** The head of an answer. */
export interface Head {
  readonly status: number
  /** The field `Retry-After`, as it is. */
  readonly retryAfter: string | null
  readonly at: Instant
}

/** The deadline is over, or it is called off. */
class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** Sends one request over `pool` and reads the answer, within one deadline; never throws. */
export function converse(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, keptBytesMax, clock, signal }: Bounds,
): Promise<Heard> {
  return new Promise((resolve) => {
    let head: Head | null = null
    const kept: Buffer[] = []
    let bytes = 0
    let isOver = false
    let hasLeft = false
    let hangUp = (): void => {}
    let forget = (): void => {}

    const end = (ending: Ending): void => {
      if (isOver) return
      isOver = true
      cancelDeadline()
      forget()
      resolve({ ending, hasLeft, head, body: Buffer.concat(kept), bytes })
    }
    const breakOff = (kind: 'TOO_LONG' | 'LATE' | 'CALLED_OFF'): void => {
      end({ kind })
      hangUp()
    }
    const cancelDeadline = clock.after(timeoutMs, () => breakOff('LATE'))
    const callOff = (): void => breakOff('CALLED_OFF')
    if (signal.aborted) return callOff()
    forget = onAbort(signal, callOff)

    pool.dispatch(request, {
      onRequestStart: (controller) => {
        hangUp = () => controller.abort(new HungUp())
        // It waited for a connection until its time was over: it must not be sent now.
        if (isOver) hangUp()
        else hasLeft = true
      },
      onResponseStart: (_, status, headers) => {
        const isInterim = status < 200
        if (!isInterim) head = headOf(status, headers['retry-after'], clock.now())
      },
      onResponseData: (_, chunk) => {
        if (bytes < keptBytesMax) kept.push(chunk.subarray(0, keptBytesMax - bytes))
        bytes += chunk.length
        if (bytes > answerBytesMax) breakOff('TOO_LONG')
      },
      onResponseEnd: () => end({ kind: 'WHOLE' }),
      onResponseError: (_, error) => end({ kind: 'FAILED', error }),
    })
  })
}

function headOf(status: number, given: string | string[] | undefined, at: Instant): Head {
  return { status, retryAfter: typeof given === 'string' ? given : null, at }
}
