import type { InputError, ProblemName } from '../../../../src/core/problem.ts'

/** The type of a problem; `unknown` if the response is not Nuncio's but, for example, a proxy's. */
export type ProblemType = ProblemName | 'unknown'

/** The content of a problem. */
export interface ProblemDetails {
  readonly status: number
  readonly type: ProblemType
  readonly title: string
  readonly detail: string
  readonly errors: readonly InputError[]
  readonly page: string | null
  readonly requestId: string | null
  readonly retryAfterMs: number | null
  readonly uncertain: boolean
}

/** The service refused a request (RFC 9457). */
export class NuncioProblem extends Error implements ProblemDetails {
  override readonly name = 'NuncioProblem'
  /** The HTTP status code. */
  readonly status: number
  /** The last part of the problem's `type`, such as `not-found`. */
  readonly type: ProblemType
  readonly title: string
  /** The explanation of this problem. */
  readonly detail: string
  /** Every fault of the input, with a JSON Pointer or a parameter's name. */
  readonly errors: readonly InputError[]
  /** The URL of the page about this type of problem; null if the response names none. */
  readonly page: string | null
  /** The id of the request in the service's log. */
  readonly requestId: string | null
  /** The wait that the service asks for. */
  readonly retryAfterMs: number | null
  /** An earlier attempt had no response and may have succeeded: this problem can be its consequence. */
  readonly uncertain: boolean

  constructor(details: ProblemDetails) {
    super(`${details.status} ${details.title}${details.detail === '' ? '' : `: ${details.detail}`}`)
    this.status = details.status
    this.type = details.type
    this.title = details.title
    this.detail = details.detail
    this.errors = details.errors
    this.page = details.page
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
    this.uncertain = details.uncertain
  }
}
