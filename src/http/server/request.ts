import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountId } from '../../core/account.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { Problem } from '../../core/problem.ts'

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

/** Returns the media type of the body in lower case, without parameters; empty if there is none. */
export function mediaType(request: RequestHead): string {
  return (header(request, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

const nothing = new Uint8Array()

/**
 * Returns a request as plain data; `body` is null if none follows the head. The abort of `closing`
 * ends streams, since the server closes.
 */
export function plainRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: Pick<ArrivingRequest, 'receive'> | null,
  closing: AbortSignal,
): IncomingRequest {
  const { method = '', url = '', headers } = request
  const target = url.startsWith('/') ? url : originForm(url)
  const refused = refusalOf(request)
  const gone = (): AbortSignal => {
    const controller = new AbortController()
    response.once('close', () => controller.abort())
    return AbortSignal.any([controller.signal, closing])
  }
  const peer = (): string | undefined => request.socket.remoteAddress
  // Written out for both: to spread an object costs every request.
  if (body === null) return { method, target, headers, refused, peer, gone, body: nothing }
  const receive: ArrivingRequest['receive'] = (account) => body.receive(account)
  return { method, target, headers, refused, peer, gone, receive }
}

/** The path and query of a target that names the server, too (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest
}

/** Header fields of a request: each costs more to read than to send, and Node drops those above 2,000. */
const fieldsMax = 200

/** Returns true if a head has more fields than any client needs. */
export function hasTooManyFields({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * fieldsMax
}

/** Returns the fault in the head of a request, independent of its resource. */
function refusalOf(request: IncomingMessage): Problem | undefined {
  if (hasTooManyFields(request)) {
    return new Problem('header-too-large', `The head has more than ${fieldsMax} fields.`)
  }
  const { hosts, authorizations } = countFields(request.rawHeaders)
  if (hosts !== 1 && (hosts !== 0 || request.httpVersion !== '1.0')) {
    return new Problem('invalid-request', 'Send the field Host, once (RFC 9112 section 3.2).')
  }
  // Node keeps the first one; a proxy in front may have checked the other.
  if (authorizations > 1) {
    return new Problem('invalid-request', 'Send the field Authorization once.')
  }
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && request.httpVersion === '1.0') {
    // A proxy of that version may have seen another end of this request.
    const detail = 'HTTP/1.0 has no Transfer-Encoding (RFC 9112 section 6.1).'
    return new Problem('invalid-request', detail)
  }
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined
  const detail = 'Transfer-Encoding can only be chunked (RFC 9112 section 6.1).'
  return new Problem('not-implemented', detail)
}

/** Counts the fields that may come once. `rawHeaders` has names and values in turn. */
function countFields(rawHeaders: readonly string[]): { hosts: number; authorizations: number } {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1
  }
  return { hosts, authorizations }
}
