/** A fault in a part of the body; `pointer` is a JSON Pointer (RFC 6901). */
export interface Fault {
  readonly pointer: string
  readonly detail: string
}

/** The statuses of refusals with their titles. */
const titles = {
  400: 'Parsing error',
  401: 'Not verified',
  405: 'Method not allowed',
  408: 'Body too slow',
  413: 'Body too large',
  415: 'Not JSON',
  500: 'Receiver failed',
} as const

/** The status of a refusal. */
export type RefusalStatus = keyof typeof titles

interface RefusalOptions {
  readonly errors?: readonly Fault[]
  readonly cause?: unknown
}

/**
 * A rejected request. `status` is the status of the response; `message` says how to fix the
 * request.
 */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly title: string
  readonly errors: readonly Fault[]

  constructor(status: RefusalStatus, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Refusal'
    this.status = status
    this.title = titles[status]
    this.errors = options.errors ?? []
  }
}
