import {
  chosenRequestId,
  type Correlation,
  fieldsOf,
  readTraceparent,
  noTracing,
  type Span,
  type Tracing,
} from '../../core/correlation.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Random } from '../../core/ports/random.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { Problem, problems } from '../../core/problem.ts'
import type { IncomingRequest, PlainResponse, RequestHead } from './request.ts'

/** Returns the response to a request; never throws or rejects. */
export type Handle = (request: IncomingRequest) => MaybePromise<PlainResponse>

/**
 * Returns the response to a request, or throws a `Problem`. Either one gets the `extraHeaders` that
 * the function adds.
 */
export type Respond = (
  request: IncomingRequest,
  extraHeaders: Record<string, string>,
  correlation: Correlation,
) => MaybePromise<PlainResponse>

/**
 * Observes each request from its head, before its body is read, and then the status of its response, before the
 * body is sent. The time between includes what the client takes for its body. The route is not known here.
 */
export type Observe = (request: RequestHead, correlation: Correlation) => (status: number) => void

/** Notes a request that was refused; `status` is 401 or 403. A provider named the person, if there is one. */
export type NoteRefusal = (
  request: RequestHead,
  requestId: string,
  status: number,
  person?: string,
) => void

/** Header fields of every response. */
const emptyHeaders = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
}

const defaultHeaders = { 'content-type': 'application/json', ...emptyHeaders }

/**
 * Makes a handler that always responds. It converts errors to problems, identifies every request,
 * and serves HEAD as GET without the body (RFC 9110 section 9.3.2).
 */
export function handle(
  respond: Respond,
  newRequestId: () => string,
  log: Log,
  observe: Observe = () => () => {},
  refused: NoteRefusal = () => {},
  tracing: Tracing = noTracing,
): Handle {
  return (request) => {
    const span = beginSpan(request, tracing)
    const { traceparent } = span
    const requestId = chosenRequestId(request.headers['x-request-id']) ?? newRequestId()
    const correlation = { requestId, traceparent }
    const observeStatus = observe(request, correlation)
    const effective = request.method === 'HEAD' ? { ...request, method: 'GET' } : request
    const extraHeaders: Record<string, string> = { 'x-request-id': requestId }
    const finish = (response: PlainResponse): PlainResponse => {
      const { status, body, written } = response
      observeStatus(status)
      span.end(() => ({ 'http.response.status_code': status }), errorOf(status))
      const described = body === null ? emptyHeaders : defaultHeaders
      const headers = {
        ...described,
        ...extraHeaders,
        ...response.headers,
      }
      const finished = { status, headers, body, written }
      return request.method === 'HEAD' ? withoutBody(finished) : finished
    }
    const failed = (error: unknown): PlainResponse => {
      const response = problemResponse(error, request, correlation, log)
      const { status } = response
      if (status === 401 || status === 403) refused(request, requestId, status)
      return finish(response)
    }
    if (request.refused !== undefined) return failed(request.refused)
    let response: MaybePromise<PlainResponse>
    try {
      response = respond(effective, extraHeaders, correlation)
    } catch (error) {
      return failed(error)
    }
    return andThen(response, finish, failed)
  }
}

/** A malformed `traceparent` is ignored, so that it refuses no message. */
function beginSpan({ method, target, headers }: RequestHead, tracing: Tracing): Span {
  return tracing.begin({
    name: method,
    kind: 'SERVER',
    parent: readTraceparent(headers['traceparent']),
    attributes: () => ({
      'http.request.method': method,
      'url.path': target.split('?', 1)[0] ?? '',
    }),
  })
}

/** A refusal is the fault of the client, and no error of the span (OpenTelemetry's HTTP conventions). */
function errorOf(status: number): string | null {
  return status >= 500 ? String(status) : null
}

/**
 * Creates random request identifiers of 68 bits: sequential numbers would reveal the traffic of
 * other accounts.
 */
export function requestIds(random: Random): () => string {
  let drawn = ''
  let used = 0
  return () => {
    if (used === drawn.length) {
      drawn = Buffer.from(random.bytes(idsDrawn * idDigits)).toString('hex')
      used = 0
    }
    used += idDigits
    return `request_${drawn.slice(used - idDigits, used)}`
  }
}

/** Hexadecimal digits of an identifier: 68 bits. */
const idDigits = 17

/** Identifiers are drawn by the hundred, since every request takes one. */
const idsDrawn = 128

function withoutBody(response: PlainResponse): PlainResponse {
  const { body } = response
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return { ...response, body: null }
  const length = String(Buffer.byteLength(body))
  return { ...response, headers: { ...response.headers, 'content-length': length }, body: null }
}

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
