import type { Log } from '../../core/ports/log.ts'
import type { Random } from '../../core/ports/random.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { problemResponse } from './problem-response.ts'
import type { IncomingRequest, PlainResponse } from './request.ts'

/** Answers a request; never throws, and keeps its promise where it makes one. */
export type Handle = (request: IncomingRequest) => MaybePromise<PlainResponse>

/**
 * Finds the answer to a request, or throws a `Problem`. What it puts into `extraHeaders` goes with the
 * answer, whichever of the two it becomes.
 */
export type Respond = (
  request: IncomingRequest,
  extraHeaders: Record<string, string>,
) => MaybePromise<PlainResponse>

/** Is told of every request by its method; what it returns, of the status of the answer. */
export type Observe = (method: string) => (status: number) => void

/** What every answer says, whatever it is about. */
const emptyHeaders = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
}

const defaultHeaders = { 'content-type': 'application/json', ...emptyHeaders }

/**
 * Wraps what responds into what always answers: problems for all that is thrown, an identifier for
 * every request, HEAD as GET without the body (RFC 9110 section 9.3.2).
 */
export function handle(
  respond: Respond,
  newRequestId: () => string,
  log: Log,
  observe: Observe = () => () => {},
): Handle {
  return (request) => {
    const observeStatus = observe(request.method)
    const requestId = newRequestId()
    const effective = request.method === 'HEAD' ? { ...request, method: 'GET' } : request
    const extraHeaders: Record<string, string> = {}
    const finish = (response: PlainResponse): PlainResponse => {
      const { status, body } = response
      observeStatus(status)
      const described = body === null ? emptyHeaders : defaultHeaders
      const headers = {
        ...described,
        'x-request-id': requestId,
        ...extraHeaders,
        ...response.headers,
      }
      const finished = { status, headers, body }
      return request.method === 'HEAD' ? withoutBody(finished) : finished
    }
    const failed = (error: unknown): PlainResponse =>
      finish(problemResponse(error, request, requestId, log))
    if (request.refused !== undefined) return failed(request.refused)
    let response: MaybePromise<PlainResponse>
    try {
      response = respond(effective, extraHeaders)
    } catch (error) {
      return failed(error)
    }
    return andThen(response, finish, failed)
  }
}

/**
 * Names requests at random, in 68 bits: numbers in order would tell one account how much the others
 * ask for.
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
  if (typeof body !== 'string') return { ...response, body: null }
  const length = String(Buffer.byteLength(body))
  return { ...response, headers: { ...response.headers, 'content-length': length }, body: null }
}
