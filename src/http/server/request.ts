import type { AccountId } from '../../core/account.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'

/** The head of a request as plain data. */
export interface RequestHead {
  readonly method: string
  /** The target as it was sent: path and query. */
  readonly target: string
  /** Header fields by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The fault in the head, found before routing, if any. */
  readonly refused?: unknown
  /** Returns the address at the other end of the connection: of the client, or of a proxy. */
  readonly peer?: () => string | undefined
  /** Creates a signal that aborts if the client disconnects, for streamed responses. */
  readonly gone?: () => AbortSignal
}

/** A request with its whole body; the edge makes it from a socket, a test from a literal. */
export interface PlainRequest extends RequestHead {
  /** The body as sent; empty if missing. */
  readonly body: Uint8Array
}

/** A request whose body may still be in transit. */
export interface ArrivingRequest extends RequestHead {
  /**
   * Receives the body, and asks the client for it if the client waits for that. Its octets count for
   * the account; null if the request has no key. Throws a `Problem` if the body is too large or too
   * slow, if too much is in flight, or if the connection ends before it.
   */
  readonly receive: (account: AccountId | null) => MaybePromise<Uint8Array>
}

/** A request as the server passes it on: whether it may do what it asks is decided on its head. */
export type IncomingRequest = PlainRequest | ArrivingRequest

/** Returns a request of an account with its body. Throws what `receive` throws. */
export function received(
  request: IncomingRequest,
  account: AccountId | null,
): MaybePromise<PlainRequest> {
  if ('body' in request) return request
  return andThen(request.receive(account), (body) => ({ ...request, body }))
}

/** A response as plain data. A stream ends with its source or its client. */
export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | AsyncIterable<string> | null
  /** Called once the client has read the response, or is gone. */
  readonly written?: (() => void) | undefined
}

/** Returns the value of a header field; several are joined (RFC 9110 section 5.3). */
export function header(request: RequestHead, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}
