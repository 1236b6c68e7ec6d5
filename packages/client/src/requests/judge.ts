import { pathOf, type Outgoing, type ServiceResponse } from './attempt.ts'
import { NuncioConnectionError } from './connection-error.ts'
import { NuncioProblem } from './problem.ts'
import { readProblem } from './read-problem.ts'

/** An attempt that did not succeed. */
export interface FailedAttempt {
  readonly error: NuncioProblem | NuncioConnectionError
  /** The service did nothing, and may accept a repetition. */
  readonly refused: boolean
  /** It is unknown if the service carried out the request. */
  readonly lost: boolean
  readonly retryAfterMs: number | null
}

/** Too many requests, not ready. */
const refusals = new Set([429, 503])
/** A proxy answers these if it has no response of the service. */
const losses = new Set([502, 504])

/** Returns the response of a successful attempt, or the kind of failure. */
export function judge(
  outcome: ServiceResponse | NuncioConnectionError,
  outgoing: Outgoing,
  uncertain: boolean,
  now: number,
): ServiceResponse | FailedAttempt {
  if (outcome instanceof NuncioConnectionError) {
    return { error: outcome, refused: false, lost: true, retryAfterMs: null }
  }
  const { status, headers } = outcome
  if ((status >= 200 && status < 300) || status === 304) return outcome
  if (status < 400) return notNuncio(outcome, outgoing)
  const waitMs = retryAfterMs(headers.get('retry-after'), now)
  return {
    error: readProblem(outcome, outgoing.url, waitMs, uncertain),
    refused: refusals.has(status) || (uncertain && isStillRunning(status, outgoing)),
    lost: losses.has(status),
    retryAfterMs: waitMs,
  }
}

/** Returns true if a later attempt may succeed, so that a feed keeps waiting. */
export function isTransient(error: unknown): error is FailedAttempt['error'] {
  if (error instanceof NuncioConnectionError) return error.fault !== 'malformed'
  return error instanceof NuncioProblem && (error.status === 429 || error.status >= 500)
}

/** Returns the wait that the service asked for, 0 if it asked for none. */
export function requestedWaitMs(error: unknown): number {
  return error instanceof NuncioProblem ? (error.retryAfterMs ?? 0) : 0
}

/** An attempt without response may still be running: its idempotency key is in use (409). */
function isStillRunning(status: number, { method }: Outgoing): boolean {
  return status === 409 && method === 'POST'
}

function notNuncio({ status, headers }: ServiceResponse, outgoing: Outgoing): FailedAttempt {
  const location = headers.get('location')
  const target = location === null ? '' : ` to ${location}`
  const what = status === 0 ? 'a redirect' : `the status ${status}${target}`
  const message = `${pathOf(outgoing)} was answered with ${what}, which Nuncio does not send.`
  const error = new NuncioConnectionError('malformed', `${message} Check baseUrl.`)
  return { error, refused: false, lost: false, retryAfterMs: null }
}

/** Returns the wait of a field `Retry-After` (RFC 9110 section 10.2.3), null if it names none. */
function retryAfterMs(field: string | null, now: number): number | null {
  if (field === null) return null
  if (/^\d{1,9}$/.test(field.trim())) return Number(field) * 1000
  const at = Date.parse(field)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
