import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Instant } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'
import { header, type RequestHead } from '../../server/request.ts'

/** What a browser holds while its user is at the provider. */
export interface PendingSignIn {
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string
  readonly until: Instant
}

/** Time to sign in at the provider, in milliseconds. */
export const pendingMs = 10 * 60_000

const names = { plain: 'nuncio_sign_in', secure: '__Host-nuncio_sign_in' } as const
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Returns the field Set-Cookie. A Strict cookie would not come back from the provider's page. */
export function pendingCookie(
  pending: PendingSignIn,
  secret: string,
  random: Random,
  isOverTls: boolean,
): string {
  const nonce = random.bytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(secret), nonce)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(pending), 'utf8'), cipher.final()])
  const value = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
  const kept = `Path=/; Max-Age=${pendingMs / 1000}; HttpOnly; SameSite=Lax`
  return isOverTls
    ? `${names.secure}=${value}; ${kept}; Secure`
    : `${names.plain}=${value}; ${kept}`
}

/** Returns what the cookie of a request holds; null if there is none, or if another key encrypted it. */
export function readPendingCookie(
  request: RequestHead,
  secret: string,
  isOverTls: boolean,
): PendingSignIn | null {
  const name = isOverTls ? names.secure : names.plain
  const pairs = header(request, 'cookie')?.split(/;\s*/) ?? []
  const pair = pairs.find((each) => each.startsWith(`${name}=`))
  const bytes = Buffer.from(pair?.slice(name.length + 1) ?? '', 'base64url')
  if (bytes.length <= nonceBytes + tagBytes) return null
  try {
    const options = { authTagLength: tagBytes }
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, keyOf(secret), nonce, options)
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const encrypted = bytes.subarray(nonceBytes + tagBytes)
    return JSON.parse(Buffer.concat([decipher.update(encrypted), decipher.final()]).toString())
  } catch {
    return null
  }
}

function keyOf(secret: string): Buffer {
  return createHmac('sha256', secret).update('sign-in at an OpenID provider').digest()
}
