import type { Dispatcher } from 'undici'
import type { Clock } from '../core/clock.ts'
import { failure } from './failure.ts'
import { answered, type Outcome } from './outcome.ts'
import { onAbort } from './on-abort.ts'
import type { Posted, PostRequest } from './post.ts'
import { startOfText } from './start-of-text.ts'

/** Of an answer no more is read than this; then the connection is closed. */
const answerBytesMax = 64 * 1024

/** Of an answer so much is kept. */
const keptBytesMax = 4 * 1024

/** The deadline for the whole exchange is over, or it is called off. */
class HungUp extends Error {
  override readonly name = 'HungUp'
}

/**
 * Sends one request over `pool` to `path` and reads the answer; never throws. One deadline holds for all of
 * it: to connect, to send, the header, the body. The status decides as soon as it is there: a body
 * that does not end, is too long, or breaks off changes nothing of what the receiver has said.
 */
export function exchange(
  pool: Dispatcher,
  path: string,
  request: PostRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Posted> {
  return new Promise((resolve) => {
    const answer = reading()
    let isOver = false
    let hangUp = (): void => {}
    let forget = (): void => {}

    const end = (otherwise: Outcome): void => {
      if (isOver) return
      isOver = true
      cancelDeadline()
      forget()
      resolve(answer.posted(otherwise))
    }
    const late = { kind: 'TIMEOUT', detail: `no answer within ${request.timeoutMs} ms` } as const
    const cancelDeadline = clock.after(request.timeoutMs, () => {
      end(late)
      hangUp()
    })
    const stop = (): void => {
      end({ kind: 'UNREACHABLE', detail: 'the service stopped' })
      hangUp()
    }
    if (signal.aborted) return stop()
    forget = onAbort(signal, stop)

    const { headers, body } = request
    pool.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: (controller) => {
          hangUp = () => controller.abort(new HungUp())
          // It waited for a connection until its time was over: it must not be sent now.
          if (isOver) hangUp()
        },
        onResponseStart: (_, status, headers) => answer.begin(status, headers['retry-after']),
        onResponseData: (_, chunk) => {
          if (answer.add(chunk)) return
          end(late)
          hangUp()
        },
        onResponseEnd: () => end(late),
        onResponseError: (_, error) => end(failure(error)),
      },
    )
  })
}

/** An answer as it comes in. */
function reading() {
  let head: { status: number; retryAfter: string | null } | null = null
  const kept: Buffer[] = []
  let bytes = 0

  return {
    begin: (status: number, retryAfter: string | string[] | undefined): void => {
      const isInterim = status < 200
      if (isInterim) return
      head = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null }
    },
    /** Tells whether more may be read. */
    add: (chunk: Buffer): boolean => {
      if (bytes < keptBytesMax) kept.push(chunk.subarray(0, keptBytesMax - bytes))
      bytes += chunk.length
      return bytes <= answerBytesMax
    },
    posted: (otherwise: Outcome): Posted =>
      head === null
        ? { outcome: otherwise, response: null }
        : {
            outcome: answered(head.status, head.retryAfter),
            response: bytes === 0 ? '' : startOfText(Buffer.concat(kept), bytes > keptBytesMax),
          },
  }
}
