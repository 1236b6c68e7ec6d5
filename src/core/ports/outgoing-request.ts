/** A request to somebody else's service, whole: it is sent once and never redirected. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: Uint8Array | null
  /** Timeout of the request and its response, in milliseconds. */
  readonly timeoutMs: number
}

/** Result of a request. */
export type Sent =
  | {
      readonly kind: 'ANSWERED'
      readonly status: number
      /** Value of `Retry-After` (RFC 9110 section 10.2.3); null if absent or malformed. */
      readonly retryAfterMs: number | null
      /** The answer's body, up to a limit. */
      readonly body: Uint8Array
      /** False where the body broke off before its end. */
      readonly isWhole: boolean
    }
  /** Nothing of it left: there was no connection. `detail` says why, as a clause. */
  | { readonly kind: 'NOT_SENT'; readonly detail: string }
  /** It left, or may have, and nothing came back. */
  | { readonly kind: 'UNANSWERED'; readonly detail: string }

/** Sends a request; never throws. The signal ends it. */
export type SendHttp = (request: OutgoingRequest, signal: AbortSignal) => Promise<Sent>
