import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import { problemAnswer } from './problem-answer.ts'
import type { PlainAnswer, PlainRequest } from './request.ts'

/** Answers a request; never throws. */
export type Handle = (request: PlainRequest) => Promise<PlainAnswer>

/**
 * Finds the answer to a request, or throws a `Problem`. What it puts into `along` goes with the
 * answer, whichever of the two it becomes.
 */
export type Respond = (
  request: PlainRequest,
  along: Record<string, string>,
) => PlainAnswer | Promise<PlainAnswer>

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
export function handle(respond: Respond, newRequestId: () => string, log: Log): Handle {
  return async (request) => {
    const requestId = newRequestId()
    const asked = request.method === 'HEAD' ? { ...request, method: 'GET' } : request
    const along: Record<string, string> = {}
    let answer: PlainAnswer
    try {
      if (request.refused !== undefined) throw request.refused
      answer = await respond(asked, along)
    } catch (error) {
      answer = problemAnswer(error, request, requestId, log)
    }
    const { status, body } = answer
    const described = body === null ? alwaysEmpty : always
    const headers = { ...described, 'x-request-id': requestId, ...along, ...answer.headers }
    const finished = { status, headers, body }
    return request.method === 'HEAD' ? withoutBody(finished) : finished
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
