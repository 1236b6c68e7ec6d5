import type { Outcome } from '../attempts/outcome.ts'

/** A request on its way to a receiver. */
export interface PostRequest {
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** How long all of it may take. */
  readonly timeoutMs: number
}

/** What came of it. */
export interface Posted {
  readonly outcome: Outcome
  /** The first 4 KiB of the answer; null where there was none. */
  readonly response: string | null
}

/** Sends a request once; never throws. The signal ends it: then its outcome says nothing of the receiver. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<Posted>
