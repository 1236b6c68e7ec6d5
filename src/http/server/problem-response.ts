import { type Correlation, fieldsOf } from '../../core/correlation.ts'
import { Problem, problems } from '../../core/problem.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import type { Log } from '../../core/ports/log.ts'
import type { PlainResponse, RequestHead } from './request.ts'

/** Time after which a client should retry if the store is unavailable, in seconds. */
const retryAfterSeconds = 5

/**
 * Converts anything thrown to a response (RFC 9457). An error that is not a `Problem` reveals
 * nothing to the client; the log contains all of it.
 */
export function problemResponse(
  thrown: unknown,
  request: RequestHead,
  correlation: Correlation,
  log: Log,
): PlainResponse {
  const problem = asProblem(thrown, correlation, log)
  const [status, title] = problems[problem.problem]
  const body = {
    type: `/problems/${problem.problem}`,
    title,
    status,
    detail: problem.message,
    instance: request.target.split('?', 1)[0],
    ...(problem.errors.length > 0 ? { errors: problem.errors } : {}),
    requestId: correlation.requestId,
  }
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...problem.headers },
    body: JSON.stringify(body),
  }
}

function asProblem(thrown: unknown, correlation: Correlation, log: Log): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof StoreUnavailable) {
    log('error', 'store unavailable', {
      ...fieldsOf(correlation),
      reason: thrown.message,
    })
    const what = thrown.isInPart ? 'A server of the store' : 'The store'
    return new Problem('unavailable', `${what} is unavailable. Retry later.`, {
      headers: { 'retry-after': String(retryAfterSeconds) },
    })
  }
  log('error', 'request failed', { ...fieldsOf(correlation), error: thrown })
  return new Problem('internal', 'The request was valid, but the service failed.')
}
