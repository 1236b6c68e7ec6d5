/** Every kind of refusal: its status (RFC 9110), its title, and what its page in the reference says. */
export const problems = {
  'invalid-request': [
    400,
    'Invalid request',
    'Something in the request is malformed. The detail names it.',
  ],
  'invalid-body': [
    400,
    'Invalid body',
    'Fields of the body break a rule. `errors` lists every one with a JSON Pointer.',
  ],
  'invalid-parameter': [
    400,
    'Invalid parameter',
    'Query parameters break a rule. `errors` lists every one.',
  ],
  'invalid-id': [
    400,
    'Invalid identifier',
    'A chosen identifier has 1 to 64 characters of A-Z, a-z, 0-9, `_`, `.`, `~` and `-`.',
  ],
  unauthorized: [
    401,
    'Unauthorized',
    'Send a valid key: `Authorization: Bearer nuncio_…`, or HTTP Basic with the key id and the secret.',
  ],
  forbidden: [
    403,
    'Forbidden',
    'The key is valid and may not do this. Use one with the scope that the detail names.',
  ],
  'insufficient-credits': [
    403,
    'Insufficient credits',
    'The account has fewer credits than this costs. The operator tops it up with a credit movement.',
  ],
  'limit-reached': [
    403,
    'Limit reached',
    'The account has as many as it may. The detail names the limit; the operator sets it in `limits` of the account.',
  ],
  'not-found': [404, 'Not found', 'There is no such resource, or it is not yours.'],
  'method-not-allowed': [
    405,
    'Method not allowed',
    'The path does not have this method. `Allow` lists those it has.',
  ],
  'not-acceptable': [
    406,
    'Not acceptable',
    'Answers are `application/json`, problems `application/problem+json`.',
  ],
  'request-timeout': [
    408,
    'Request timeout',
    'A request has 30 seconds to arrive as a whole. Send it again.',
  ],
  conflict: [409, 'Conflict', 'The state of the resource does not allow this.'],
  gone: [410, 'Gone', 'This was moved on purpose. `Link` says where to.'],
  'precondition-failed': [
    412,
    'Precondition failed',
    '`If-Match` or `If-None-Match` did not hold: read the resource again, then repeat.',
  ],
  'content-too-large': [413, 'Content too large', 'A body has at most 1 MiB.'],
  'uri-too-long': [
    414,
    'URI too long',
    'A URI has at most 8,000 octets. POST the parameters with `X-HTTP-Method-Override: GET`.',
  ],
  'unsupported-media-type': [
    415,
    'Unsupported media type',
    'Send `Content-Type: application/json`, and the body as it is: without `Content-Encoding`.',
  ],
  'idempotency-key-reused': [
    422,
    'Idempotency key reused',
    'This `Idempotency-Key` was used with another request. Use a new one.',
  ],
  'precondition-required': [
    428,
    'Precondition required',
    'This collection is changed only under a condition: send `If-Match` with the entity tag that you read.',
  ],
  'too-many-requests': [429, 'Too many requests', 'Wait as long as `Retry-After` says.'],
  'header-too-large': [
    431,
    'Request header fields too large',
    'The request line and the header fields have at most 32 KiB.',
  ],
  internal: [
    500,
    'Internal error',
    'The request was valid; the service failed. The log has the details under the `requestId`.',
  ],
  'not-implemented': [
    501,
    'Not implemented',
    'The service does not know this method, or this transfer coding.',
  ],
  'query-timeout': [
    503,
    'Query timeout',
    'The query used up its time. Narrow it as the detail says, such as with `createdAt_gte`.',
  ],
  unavailable: [
    503,
    'Unavailable',
    'The service is not ready. Wait as long as `Retry-After` says.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, cure: string]>

/** The name of a kind of refusal; the last part of a problem's `type`. */
export type ProblemName = keyof typeof problems

/** One input fault: its JSON Pointer (RFC 6901) or parameter, and the rule. */
export type InputError =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string }

/** Optional parts of a problem besides type and detail. */
export interface ProblemExtras {
  readonly errors?: readonly InputError[]
  /** Header fields of the answer, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal (RFC 9457): thrown anywhere, turned into an answer at the edge. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly problem: ProblemName
  readonly errors: readonly InputError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(problem: ProblemName, detail: string, extras: ProblemExtras = {}) {
    super(detail)
    this.problem = problem
    this.errors = extras.errors ?? []
    this.headers = extras.headers ?? {}
  }

  /** The HTTP status code of the answer. */
  get status(): number {
    return problems[this.problem][0]
  }
}

/** Faults that an answer lists: it must not be many times as large as the request. */
const errorsMax = 100

/** Creates the problem for an invalid body, with its first hundred faults. */
export function invalidBody(errors: readonly InputError[]): Problem {
  return listing('invalid-body', errors)
}

/** Creates the problem for invalid parameters, with its first hundred faults. */
export function invalidParameters(errors: readonly InputError[]): Problem {
  return listing('invalid-parameter', errors)
}

/** The same problem with its faults said otherwise. */
export function withErrors(problem: Problem, errors: readonly InputError[]): Problem {
  const { headers, message } = problem
  const said = summary(problem.errors)
  const detail = message.startsWith(said) ? summary(errors) + message.slice(said.length) : message
  return new Problem(problem.problem, detail, { errors, headers })
}

function listing(problem: ProblemName, errors: readonly InputError[]): Problem {
  const listed = errors.slice(0, errorsMax)
  const rest = errors.length - listed.length
  const more = rest === 0 ? '' : `; and ${rest} more`
  return new Problem(problem, summary(listed) + more, { errors: listed })
}

function summary(errors: readonly InputError[]): string {
  return errors
    .map((error) =>
      `${'pointer' in error ? error.pointer : error.parameter} ${error.detail}`.trim(),
    )
    .join('; ')
}
