import type { Log } from '../../core/ports/log.ts'
import type { Random } from '../../core/ports/random.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { problemAnswer } from './problem-response.ts'
import type { IncomingRequest, PlainAnswer } from './request.ts'

/** Answers a request; never throws, and keeps its promise where it makes one. */
export type Handle = (request: IncomingRequest) => MaybePromise<PlainAnswer>

/**
 * Finds the answer to a request, or throws a `Problem`. What it puts into `along` goes with the
 * answer, whichever of the two it becomes.
 */
export type Respond = (
  request: IncomingRequest,
  along: Record<string, string>,
) => MaybePromise<PlainAnswer>

/** Is told of every request by its method; what it returns, of the status of the answer. */
export type Observe = (method: string) => (status: number) => void

/** What every answer says, whatever it is about. */
const alwaysEmpty = {
  'cache-control': 'private, no-cache',
  'x-content-type-options': 'nosniff',
}

const always = { 'content-type': 'application/json', ...alwaysEmpty }

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
    const answered = observe(request.method)
    const requestId = newRequestId()
    const asked = request.method === 'HEAD' ? { ...request, method: 'GET' } : request
    const along: Record<string, string> = {}
    const finish = (answer: PlainAnswer): PlainAnswer => {
      const { status, body } = answer
      answered(status)
      const described = body === null ? alwaysEmpty : always
      const headers = { ...described, 'x-request-id': requestId, ...along, ...answer.headers }
      const finished = { status, headers, body }
      return request.method === 'HEAD' ? withoutBody(finished) : finished
    }
    const failed = (error: unknown): PlainAnswer =>
      finish(problemAnswer(error, request, requestId, log))
    if (request.refused !== undefined) return failed(request.refused)
    let answer: MaybePromise<PlainAnswer>
    try {
      answer = respond(asked, along)
    } catch (error) {
      return failed(error)
    }
    return andThen(answer, finish, failed)
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

function withoutBody(answer: PlainAnswer): PlainAnswer {
  const { body } = answer
  if (typeof body !== 'string') return { ...answer, body: null }
  const length = String(Buffer.byteLength(body))
  return { ...answer, headers: { ...answer.headers, 'content-length': length }, body: null }
}
