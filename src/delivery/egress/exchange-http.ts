import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Clock, Instant } from '../../core/ports/clock.ts'

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
export type ExchangeEnd =
  | { readonly kind: 'WHOLE' | 'TOO_LONG' | 'LATE' | 'CALLED_OFF' }
  | { readonly kind: 'FAILED'; readonly error: unknown }

/** What was heard until it ended. */
export interface Heard {
  readonly ending: ExchangeEnd
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
export function exchangeHttp(
  pool: Dispatcher,
  request: Dispatcher.DispatchOptions,
  bounds: Bounds,
): Promise<Heard> {
  return new Promise((resolve) => new Conversation(bounds, resolve).begin(pool, request))
}

const nothing = Buffer.alloc(0)

/** A request and what is heard of it, as undici tells it: one object, since there are many a second. */
class Conversation implements Dispatcher.DispatchHandler {
  readonly #bounds: Bounds
  readonly #onEnd: (heard: Heard) => void
  #head: Head | null = null
  #kept: Buffer[] | null = null
  #bytes = 0
  #isOver = false
  #connection: Dispatcher.DispatchController | null = null
  #cancelDeadline = (): void => {}
  #forget = (): void => {}

  constructor(bounds: Bounds, onEnd: (heard: Heard) => void) {
    this.#bounds = bounds
    this.#onEnd = onEnd
  }

  begin(pool: Dispatcher, request: Dispatcher.DispatchOptions): void {
    const { clock, signal, timeoutMs } = this.#bounds
    if (signal.aborted) return this.#end({ kind: 'CALLED_OFF' })
    this.#cancelDeadline = clock.after(timeoutMs, () => this.#breakOff('LATE'))
    this.#forget = onAbort(signal, () => this.#breakOff('CALLED_OFF'))
    pool.dispatch(request, this)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It waited for a connection until its time was over: it must not be sent now.
    if (this.#isOver) controller.abort(new HungUp())
    else this.#connection = controller
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    const isInterim = status < 200
    if (!isInterim) this.#head = headOf(status, headers['retry-after'], this.#bounds.clock.now())
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    const room = this.#bounds.keptBytesMax - this.#bytes
    if (room > 0) (this.#kept ??= []).push(chunk.subarray(0, room))
    this.#bytes += chunk.length
    if (this.#bytes > answerBytesMax) this.#breakOff('TOO_LONG')
  }

  onResponseEnd(): void {
    this.#end({ kind: 'WHOLE' })
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#end({ kind: 'FAILED', error })
  }

  #breakOff(kind: 'TOO_LONG' | 'LATE' | 'CALLED_OFF'): void {
    this.#end({ kind })
    this.#connection?.abort(new HungUp())
  }

  #end(ending: ExchangeEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelDeadline()
    this.#forget()
    const body = this.#kept === null ? nothing : Buffer.concat(this.#kept)
    const hasLeft = this.#connection !== null
    this.#onEnd({ ending, hasLeft, head: this.#head, body, bytes: this.#bytes })
  }
}

function headOf(status: number, given: string | string[] | undefined, at: Instant): Head {
  return { status, retryAfter: typeof given === 'string' ? given : null, at }
}

/** What is to be called for each signal: one listener of a signal stands for all of them. */
const calls = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `call` once when the signal is given; the function returned calls that off. As `addEventListener`,
 * but for many at once that come and go with every request. The signal must not be given yet.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const known = calls.get(signal) ?? listen(signal)
  known.add(call)
  return () => known.delete(call)
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  calls.set(signal, all)
  const tell = (): void => {
    for (const call of all) call()
    all.clear()
  }
  signal.addEventListener('abort', tell, { once: true })
  return all
}
