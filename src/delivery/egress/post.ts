/** Sends a request once; never throws. The signal ends it: then its outcome says nothing of the receiver. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<Posted>

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

/** Outcome of a delivery attempt; it decides the next action. */
export type Outcome =
  /** Any 2xx: the whole array is acknowledged. */
  | { readonly kind: 'ACCEPTED'; readonly status: number }
  /** Any other answer but 410, a redirect included. */
  | { readonly kind: 'REFUSED'; readonly status: number; readonly retryAfter: string | null }
  /** 410: the receiver was removed on purpose. */
  | { readonly kind: 'GONE'; readonly status: 410 }
  /** No connection, or one that broke before the answer. `detail` says why, as a clause. */
  | { readonly kind: 'UNREACHABLE'; readonly detail: string }
  /** Something took too long. `detail` says what, such as `no answer within 15000 ms`. */
  | { readonly kind: 'TIMEOUT'; readonly detail: string }
  /** The egress guard did not let it out. */
  | { readonly kind: 'BLOCKED'; readonly detail: string }

/** Returns the outcome for a response's status. */
export function answered(status: number, retryAfter: string | null): Outcome {
  if (status >= 200 && status < 300) return { kind: 'ACCEPTED', status }
  return status === 410 ? { kind: 'GONE', status } : { kind: 'REFUSED', status, retryAfter }
}

/** Returns the error as a sentence for the attempt log and the webhook's state; null for a success. */
export function explain(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'ACCEPTED':
      return null
    case 'REFUSED':
      return isRedirect(outcome.status)
        ? `The receiver answered ${outcome.status}; redirects are not followed.`
        : `The receiver answered ${outcome.status}.`
    case 'GONE':
      return 'The receiver answered 410.'
    case 'UNREACHABLE':
      return `The receiver was not reached: ${outcome.detail}.`
    case 'TIMEOUT':
      return `There was ${outcome.detail}.`
    case 'BLOCKED':
      return `The request was not sent: ${outcome.detail}.`
  }
}

/** Returns the status of the response; null without one. */
export function statusOf(outcome: Outcome): number | null {
  return 'status' in outcome ? outcome.status : null
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304
}
