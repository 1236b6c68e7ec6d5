import { Problem, problems } from '../../core/problem.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Log } from '../../core/ports/log.ts'
import type { PlainResponse, RequestHead } from './request.ts'

/** How long a client should wait before it asks a store again that is not there, in seconds. */
const retryAfterSeconds = 5

/**
 * Turns whatever was thrown into an answer (RFC 9457). What is no `Problem` says nothing outside,
 * and everything in the log.
 */
export function problemResponse(
  thrown: unknown,
  request: RequestHead,
  requestId: string,
  log: Log,
): PlainResponse {
  const problem = asProblem(thrown, requestId, log)
  const [status, title] = problems[problem.problem]
  const body = {
    type: `/problems/${problem.problem}`,
    title,
    status,
    detail: problem.message,
    instance: request.target.split('?', 1)[0],
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
    requestId,
  }
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body: JSON.stringify(body),
  }
}

function asProblem(thrown: unknown, requestId: string, log: Log): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof StoreUnavailable) {
    log('error', 'store unavailable', { requestId, reason: thrown.message })
    return new Problem('unavailable', 'The store cannot be reached or written now. Try again.', {
      headers: { 'retry-after': String(retryAfterSeconds) },
    })
  }
  log('error', 'request failed', { requestId, error: thrown })
  return new Problem('internal', 'The request was valid, but the service failed.')
}
