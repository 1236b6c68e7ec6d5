import type { IncomingHttpHeaders } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { Blocked, connectMsMax } from './pools.ts'
import type { Outcome } from './post.ts'

/** Maximum read octets of a response; after that the connection is closed. */
export const answerBytesMax = 64 * 1024

/** Limits of a request and its response. */
export interface Bounds {
  /** For all of it: to connect, to send, the header, the body. */
  readonly timeoutMs: number
  /** Maximum stored octets of a response. */
  readonly keptBytesMax: number
  readonly clock: Clock
  /** Aborts the exchange. */
  readonly signal: AbortSignal
}

/** End of an exchange. */
export type ExchangeEnd =
  | { readonly kind: 'WHOLE' | 'TOO_LONG' | 'LATE' | 'CALLED_OFF' }
  | { readonly kind: 'FAILED'; readonly error: unknown }

/** Events until the end. */
export interface Heard {
  readonly ending: ExchangeEnd
  /** True if a connection existed, so that octets may have been sent. */
  readonly hasLeft: boolean
  /** Head of the response and its time; null without one. */
  readonly head: Head | null
  /** Stored part of the response, and the number of octets read. */
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

/** The deadline passed, or the exchange was aborted. */
class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** Interim responses (1xx) of one exchange: each costs the service more than the receiver that sends it. */
const interimsMax = 16

/** A receiver sent more interim responses than that. */
class TooManyInterims extends Error {
  override readonly name = 'TooManyInterims'
  readonly code = 'TOO_MANY_INTERIMS'
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

/** Handler of one exchange for undici: a single object, because there are many per second. */
class Conversation implements Dispatcher.DispatchHandler {
  readonly #bounds: Bounds
  readonly #onEnd: (heard: Heard) => void
  #head: Head | null = null
  #kept: Buffer[] | null = null
  #bytes = 0
  #interims = 0
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
    if (status >= 200) {
      this.#head = headOf(status, headers['retry-after'], this.#bounds.clock.now())
    } else if (++this.#interims > interimsMax) {
      this.#end({ kind: 'FAILED', error: new TooManyInterims() })
      this.#connection?.abort(new HungUp())
    }
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

/** Callbacks by signal: one listener on a signal serves all of them. */
const calls = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `call` once when the signal aborts; the returned function cancels that. Unlike
 * `addEventListener` it is cheap for callbacks that come and go with every request. The signal must
 * not be aborted yet.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const known = calls.get(signal) ?? listen(signal)
  known.add(call)
  return () => known.delete(call)
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  calls.set(signal, all)
  const callAll = (): void => {
    for (const call of all) call()
    all.clear()
  }
  signal.addEventListener('abort', callAll, { once: true })
  return all
}

/** Texts by error code. They reveal nothing except that the receiver was not reached. */
const details: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its address',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'its name does not resolve',
  ENODATA: 'its name does not resolve',
  EAI_AGAIN: 'its name temporarily cannot be resolved',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  UND_ERR_HEADERS_OVERFLOW: 'the header of its answer is too large',
  TOO_MANY_INTERIMS: 'it sent too many interim responses',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Returns the outcome for a network error. */
export function failure(error: unknown): Outcome {
  if (error instanceof Blocked) return { kind: 'BLOCKED', detail: error.message }
  if (error instanceof errors.HTTPParserError) {
    return { kind: 'UNREACHABLE', detail: 'its answer is not HTTP' }
  }
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { kind: 'TIMEOUT', detail: `no connection within ${connectMsMax} ms` }
  }
  return { kind: 'UNREACHABLE', detail: details[code] ?? unknown(code) }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

function unknown(code: string): string {
  return code === '' ? 'the connection failed' : `the connection failed (${code})`
}
