import { andThen } from '../../core/maybe-promise.ts'
import type { Handle } from './handle.ts'
import { header, type PlainResponse, type RequestHead } from './request.ts'

/** Response fields that a page of another origin may read. */
const exposed = [
  'Accept-Patch',
  'Accept-Post',
  'Accept-Query',
  'Allow',
  'Deprecation',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')

/** Time for which a browser may cache a preflight response, in seconds. */
const maxAgeSeconds = 7200

/**
 * Lets pages of the listed origins call the service (WHATWG Fetch, CORS protocol); `*` means every
 * origin. Clients send keys in a header field, not in cookies, so credentials are never allowed.
 */
export function cors(handle: Handle, origins: readonly string[]): Handle {
  if (origins.length === 0) return handle
  const everyOrigin = origins.includes('*')
  const addHeaders = (request: RequestHead, response: PlainResponse): PlainResponse => {
    const origin = header(request, 'origin')
    const vary = everyOrigin ? {} : { vary: 'Origin' }
    if (origin === undefined || !(everyOrigin || origins.includes(origin))) {
      return { ...response, headers: { ...vary, ...response.headers } }
    }
    const allowed = everyOrigin ? '*' : origin
    const headers = {
      ...vary,
      ...response.headers,
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': exposed,
      ...preflight(request, response.headers['allow']),
    }
    return { ...response, headers }
  }
  return (request) => andThen(handle(request), (response) => addHeaders(request, response))
}

/** Returns the fields of a preflight response: the methods of the path and the requested fields. */
function preflight(request: RequestHead, allow: string | undefined): Record<string, string> {
  const requestedMethod = header(request, 'access-control-request-method')
  if (request.method !== 'OPTIONS' || requestedMethod === undefined || allow === undefined)
    return {}
  const fields = header(request, 'access-control-request-headers')
  return {
    'access-control-allow-methods': allow,
    ...(fields === undefined ? {} : { 'access-control-allow-headers': fields }),
    'access-control-max-age': String(maxAgeSeconds),
  }
}
