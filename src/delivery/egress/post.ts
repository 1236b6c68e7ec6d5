import type { Outcome } from '../attempts/outcome.ts'

/** A request on its way to a receiver. */
export interface PostRequest {
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Timeout of the whole exchange, in milliseconds. */
  readonly timeoutMs: number
}

/** Result of a POST. */
export interface Posted {
  readonly outcome: Outcome
  /** First 4 KiB of the response; null without one. */
  readonly response: string | null
}

/** Sends a request once; never throws. The signal ends it: then its outcome says nothing of the receiver. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<Posted>
