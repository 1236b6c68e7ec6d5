import type { Clock } from '../../../../src/core/ports/clock.ts'
import { NuncioConnectionError } from './connection-error.ts'
import { deadline } from './deadline.ts'
import type { Fetch } from '../options.ts'

/** A request as it goes out. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
}

/** An answer, read to its end. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What an attempt works with. */
export interface Network {
  readonly fetch: Fetch
  readonly clock: Clock
}

/**
 * Sends a request once. Returns the answer, whatever it says, or why there is none. Throws the reason
 * of the signal where that is given.
 */
export async function attempt(
  outgoing: Outgoing,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  { fetch, clock }: Network,
): Promise<ServiceResponse | NuncioConnectionError> {
  const limit = deadline(clock, timeoutMs, signal)
  try {
    const response = await fetch(outgoing.url, requestInit(outgoing, limit.signal))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    signal?.throwIfAborted()
    return lostConnection(outgoing, limit.expired, error)
  } finally {
    limit.end()
  }
}

/** What `fetch` is told. */
export function requestInit({ method, headers, body }: Outgoing, signal: AbortSignal): RequestInit {
  // A redirect would take the key to an address that nobody named, and make a GET of a POST.
  return { method, headers, signal, redirect: 'manual', ...(body === null ? {} : { body }) }
}

/** Says that no answer came, and why. */
export function lostConnection(
  outgoing: Outgoing,
  expired: boolean,
  cause: unknown,
): NuncioConnectionError {
  const where = pathOf(outgoing)
  return expired
    ? new NuncioConnectionError('timeout', `No answer in time: ${where}`)
    : new NuncioConnectionError('unreachable', `No answer: ${where} (${reasonOf(cause)})`, cause)
}

/** Node has the reason in the cause of the error, and of several addresses in its code alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String('code' in error ? error.code : error.name)
}

/** What a request is about, without its parameters: they can be personal. */
export function pathOf({ method, url }: Outgoing): string {
  return `${method} ${url.split('?', 1)[0]}`
}
