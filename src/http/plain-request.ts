import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../core/problem.ts'
import type { PlainRequest } from './request.ts'

const nothing = new Uint8Array()

/**
 * A request as plain data. `closing` is given when the server closes, which ends what
 * streams.
 */
export function plainRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array | null,
  closing: AbortSignal,
): PlainRequest {
  const { method = '', url = '', headers } = request
  return {
    method,
    target: url.startsWith('/') ? url : originForm(url),
    headers,
    refused: refusalOf(request),
    body: body ?? nothing,
    gone: () => {
      const controller = new AbortController()
      response.once('close', () => controller.abort())
      return AbortSignal.any([controller.signal, closing])
    },
  }
}

/** The path and query of a target that names the server, too (RFC 9112 section 3.2.2). */
function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest
}

/** HTTP/1.1 wants the field Host once in every request (RFC 9112 section 3.2). */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** What is wrong with how a request came, whatever it asks. */
function refusalOf(request: IncomingMessage): Problem | undefined {
  if (!hasOneHost(request)) return hostRefusal()
  const coding = request.headers['transfer-encoding']
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined
  const detail = 'Transfer-Encoding can only be chunked (RFC 9112 section 6.1).'
  return new Problem('not-implemented', detail)
}

function hostRefusal(): Problem {
  return new Problem('invalid-request', 'Send the field Host, once (RFC 9112 section 3.2).')
}
