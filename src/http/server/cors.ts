import { andThen } from '../../core/maybe-promise.ts'
import type { Handle } from './handle.ts'
import { header, type PlainAnswer, type RequestHead } from './request.ts'

/** Fields of an answer that a page of another origin may read. */
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

/** How long a browser may remember what a preflight said, in seconds. */
const maxAgeSeconds = 7200

/**
 * Lets pages of the origins listed call the service (WHATWG Fetch, CORS protocol); `*` stands for
 * every origin. Keys go in a field, not in cookies, so credentials are never allowed.
 */
export function cors(answer: Handle, origins: readonly string[]): Handle {
  if (origins.length === 0) return answer
  const everyOrigin = origins.includes('*')
  const told = (request: RequestHead, given: PlainAnswer): PlainAnswer => {
    const origin = header(request, 'origin')
    const vary = everyOrigin ? {} : { vary: 'Origin' }
    if (origin === undefined || !(everyOrigin || origins.includes(origin))) {
      return { ...given, headers: { ...vary, ...given.headers } }
    }
    const allowed = everyOrigin ? '*' : origin
    const headers = {
      ...vary,
      ...given.headers,
      'access-control-allow-origin': allowed,
      'access-control-expose-headers': exposed,
      ...preflight(request, given.headers['allow']),
    }
    return { ...given, headers }
  }
  return (request) => andThen(answer(request), (given) => told(request, given))
}

/** What a preflight asks: the methods of the path, and the fields that the page wants to send. */
function preflight(request: RequestHead, allow: string | undefined): Record<string, string> {
  const asked = header(request, 'access-control-request-method')
  if (request.method !== 'OPTIONS' || asked === undefined || allow === undefined) return {}
  const fields = header(request, 'access-control-request-headers')
  return {
    'access-control-allow-methods': allow,
    ...(fields === undefined ? {} : { 'access-control-allow-headers': fields }),
    'access-control-max-age': String(maxAgeSeconds),
  }
}
