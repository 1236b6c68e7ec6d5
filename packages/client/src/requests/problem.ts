import type { InputError, ProblemName } from '../../../../src/core/problem.ts'

/** The kind of a refusal; `unknown` where what refused is not Nuncio, such as a proxy before it. */
export type ProblemType = ProblemName | 'unknown'

/** What is known of a refusal. */
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
  /** What is wrong here, in words. */
  readonly detail: string
  /** Every fault of the input, with a JSON Pointer or the name of a parameter. */
  readonly errors: readonly InputError[]
  /** The URL of the page about this type of problem; null if the response names none. */
  readonly page: string | null
  /** What the service's log has this request under. */
  readonly requestId: string | null
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | null
  /** An attempt before got no answer, and may have been carried out: this can be its echo. */
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
