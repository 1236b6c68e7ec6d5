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
