import type { Clock } from '../../../../src/core/ports/clock.ts'
import { NuncioConnectionError } from './connection-error.ts'
import { deadline } from './deadline.ts'
import type { Fetch } from '../options.ts'

/** An HTTP request. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
}

/** A response with its whole body. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The dependencies of an attempt. */
export interface Network {
  readonly fetch: Fetch
  readonly clock: Clock
}

/**
 * Sends a request once. Returns any response, or the reason why there is none. Throws the signal's
 * reason if the signal is given.
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

/** Returns the options of `fetch`. */
export function requestInit({ method, headers, body }: Outgoing, signal: AbortSignal): RequestInit {
  // A redirect could send the key to an unconfigured URL, and turn a POST into a GET.
  return { method, headers, signal, redirect: 'manual', ...(body === null ? {} : { body }) }
}

/** Returns the error for a missing response, with its reason. */
export function lostConnection(
  outgoing: Outgoing,
  expired: boolean,
  cause: unknown,
): NuncioConnectionError {
  const where = pathOf(outgoing)
  return expired
    ? new NuncioConnectionError('timeout', `No response in time: ${where}`)
    : new NuncioConnectionError('unreachable', `No response: ${where} (${reasonOf(cause)})`, cause)
}

/**
 * Returns the reason of a failed `fetch`. Node puts it into the error's cause; for several addresses
 * only the code shows it.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String('code' in error ? error.code : error.name)
}

/** Returns method and URL of a request without its parameters, which can be personal data. */
export function pathOf({ method, url }: Outgoing): string {
  return `${method} ${url.split('?', 1)[0]}`
}
