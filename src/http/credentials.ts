import { timingSafeEqual } from 'node:crypto'
import { accountId } from '../core/account.ts'
import type { Clock, Instant } from '../core/clock.ts'
import { keyDigest } from '../core/key-secret.ts'
import { Problem } from '../core/problem.ts'
import type { Principal } from '../core/rules.ts'
import { isAdministrator } from '../core/scope.ts'
import type { KeyRecord, Store } from '../core/store.ts'
import { parseTimestamp } from '../core/timestamp.ts'

/** Finds out who asks, from the field `Authorization`; throws `unauthorized`. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>

/** Is told of each use of a key. */
export type KeyUsed = (principal: Principal, at: Instant) => void

/**
 * Checks keys against the store at every request, so that one that is revoked stops at once.
 * Of a key that was read before only the parsing is kept.
 */
export function credentials(store: Store, clock: Clock, used: KeyUsed): Authenticate {
  const parsed = new Map<string, Credential>()
  return async (authorization) => {
    const { secret, keyId } = readAuthorization(authorization)
    const digest = keyDigest(secret)
    const record = await store.findKey(digest)
    if (record === null) throw unauthorized('The key is not known.')

    const credential = parseOnce(record, parsed)
    const now = clock.now()
    const { principal } = credential
    if (!sameText(credential.digest, digest)) throw unauthorized('The key is not known.')
    if (keyId !== null && !sameText(keyId, principal.keyId)) {
      throw unauthorized('The key id does not go with the secret.')
    }
    if (credential.expiresAt <= now) throw unauthorized('The key has expired.')
    if (!credential.accountActive) throw unauthorized('The account of the key is not active.')
    used(principal, now)
    return principal
  }
}

/** Keys whose parsing is kept; beyond that all are parsed anew, which costs little. */
const parsedMax = 10_000

/** Parses a key, or gives what was parsed of the very same revision before. */
function parseOnce(record: KeyRecord, parsed: Map<string, Credential>): Credential {
  const { key, account } = record
  const revisions = `${key.account}/${key.id}/${key.revision}/${account?.revision}`
  const known = parsed.get(revisions)
  if (known !== undefined) return known
  if (parsed.size >= parsedMax) parsed.clear()
  const credential = parse(record)
  parsed.set(revisions, credential)
  return credential
}

/** A key, parsed. */
interface Credential {
  readonly principal: Principal
  readonly digest: string
  readonly expiresAt: Instant
  readonly accountActive: boolean
}

function parse({ key, account }: KeyRecord): Credential {
  const { scopes, expiresAt }: { scopes: readonly string[]; expiresAt: string | null } = JSON.parse(
    key.doc,
  )
  const { digest }: { digest: string } = JSON.parse(key.hidden ?? '{"digest":""}')
  const active = account === null ? null : (JSON.parse(account.doc) as { active: boolean })
  return {
    principal: {
      account: accountId(key.account),
      keyId: key.id,
      scopes,
      administrator: isAdministrator(scopes),
    },
    digest,
    expiresAt: expiresAt === null ? Infinity : (parseTimestamp(expiresAt) ?? -Infinity),
    accountActive: active?.active ?? true,
  }
}

/** `Bearer <secret>` (RFC 6750), or `Basic` with key id and secret (RFC 7617). */
function readAuthorization(value: string | undefined): { secret: string; keyId: string | null } {
  if (value === undefined) {
    throw unauthorized('Send a key: Authorization: Bearer nuncio_…')
  }
  const [, scheme = '', token = ''] = /^([A-Za-z]+) +([\x21-\x7e]+)$/.exec(value) ?? []
  if (scheme.toLowerCase() === 'bearer') return { secret: token, keyId: null }
  if (scheme.toLowerCase() === 'basic') {
    const text = Buffer.from(token, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon !== -1) return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) }
  }
  throw unauthorized('Authorization must be Bearer with the key, or Basic with key id and secret.')
}

/** Compares in a time that does not depend on where texts differ. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="nuncio", Basic realm="nuncio", charset="UTF-8"' },
  })
}
