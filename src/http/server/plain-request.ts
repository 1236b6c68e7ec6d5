import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../core/problem.ts'
import type { RequestBody } from './request-body.ts'
import type { IncomingRequest } from './request.ts'

const nothing = new Uint8Array()

/**
 * Returns a request as plain data; `body` is null if none follows the head. The abort of `closing`
 * ends streams, since the server closes.
 */
export function plainRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: Pick<RequestBody, 'receive'> | null,
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
  const receive: RequestBody['receive'] = (account) => body.receive(account)
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
