import { Problem } from '../../core/problem.ts'
import { header, type RequestHead } from '../server/request.ts'

/** Time after which a session ends, in milliseconds. */
export const sessionMs = 12 * 3_600_000

/** A cookie with the prefix is taken only from this very host, over TLS (RFC 6265bis section 4.1.3). */
const names = { plain: 'nuncio_session', secure: '__Host-nuncio_session' } as const

/** Returns the secret in the cookie of a request; null if it has none. */
export function readSessionCookie(request: RequestHead): string | null {
  const field = header(request, 'cookie')
  if (field === undefined) return null
  return valueOf(field, names.secure) ?? valueOf(field, names.plain)
}

/** Returns the field Set-Cookie of a new session. */
export function sessionCookie(secret: string, isOverTls: boolean): string {
  const kept = `Path=/; Max-Age=${sessionMs / 1000}; HttpOnly; SameSite=Strict`
  return isOverTls
    ? `${names.secure}=${secret}; ${kept}; Secure`
    : `${names.plain}=${secret}; ${kept}`
}

function valueOf(field: string, name: string): string | null {
  const pair = field.split(/;\s*/).find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) || null
}

/** Methods that change nothing (RFC 9110 section 9.2.1, RFC 10008). */
const safe = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY'])

/**
 * Throws `forbidden` if another site may have made a request that changes something: a browser sends the
 * cookie of a session with every request.
 */
export function checkSameOrigin(request: RequestHead): void {
  if (safe.has(request.method) || isSameOrigin(request)) return
  throw new Problem(
    'forbidden',
    'A request with a session must come from a page of this service: Sec-Fetch-Site must be ' +
      'same-origin, or Origin must name this host. Other programs send a key.',
  )
}

/** A browser says where a request comes from; a page cannot change either field. */
function isSameOrigin(request: RequestHead): boolean {
  const site = header(request, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = header(request, 'origin')
  return origin !== undefined && hostOf(origin) === header(request, 'host')?.toLowerCase()
}

/** Returns true if the browser reached the service over TLS, which ends at a proxy. */
export function isOverTls(request: RequestHead): boolean {
  return header(request, 'origin')?.startsWith('https:') === true
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null
}
