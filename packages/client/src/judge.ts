import { placeOf, type Answer, type Outgoing } from './attempt.ts'
import { NuncioConnectionError } from './connection-error.ts'
import type { NuncioProblem } from './problem.ts'
import { readProblem } from './read-problem.ts'
import { retryAfterMs } from './retry-after.ts'

/** An attempt that did not succeed. */
export interface Failure {
  readonly error: NuncioProblem | NuncioConnectionError
  /** The service did nothing, and may do it when asked again. */
  readonly refused: boolean
  /** Whether the service did it is not known. */
  readonly lost: boolean
  readonly retryAfterMs: number | null
}

/** Too many requests, not ready. */
const refusals = new Set([429, 503])
/** What a proxy answers when it has no answer of the service. */
const losses = new Set([502, 504])

/** Tells success from failure, and what kind of failure it is. */
export function judge(
  outcome: Answer | NuncioConnectionError,
  outgoing: Outgoing,
  uncertain: boolean,
  now: number,
): Answer | Failure {
  if (outcome instanceof NuncioConnectionError) {
    return { error: outcome, refused: false, lost: true, retryAfterMs: null }
  }
  const { status, headers } = outcome
  if ((status >= 200 && status < 300) || status === 304) return outcome
  if (status < 400) return notNuncio(outcome, outgoing)
  const waitMs = retryAfterMs(headers.get('retry-after'), now)
  return {
    error: readProblem(outcome, waitMs, uncertain),
    refused: refusals.has(status) || (uncertain && isStillRunning(status, outgoing)),
    lost: losses.has(status),
    retryAfterMs: waitMs,
  }
}

/** The attempt whose answer was lost may still be going on: then its key is in use (409). */
function isStillRunning(status: number, { method }: Outgoing): boolean {
  return status === 409 && method === 'POST'
}

function notNuncio({ status }: Answer, outgoing: Outgoing): Failure {
  const what = status === 0 ? 'a redirect' : `the status ${status}`
  const message = `${placeOf(outgoing)} was answered with ${what}, which Nuncio does not send.`
  const error = new NuncioConnectionError('malformed', `${message} Check baseUrl.`)
  return { error, refused: false, lost: false, retryAfterMs: null }
}
