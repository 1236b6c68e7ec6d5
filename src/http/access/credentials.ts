import { timingSafeEqual } from 'node:crypto'
import { accountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { keyDigest } from '../../core/key-secret.ts'
import {
  type AccountLimits,
  limitsOf,
  type OwnLimits,
} from '../../core/declaration/account-limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { isAdministrator } from '../../core/declaration/scope.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { KeyRecord, Store } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'

/** Returns the principal of the field `Authorization`; throws `unauthorized`. */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Principal>

/** Records one use of a key. */
export type KeyUsed = (principal: Principal, at: Instant) => void

/**
 * Checks keys against the store on every request, so that a revoked key stops working immediately.
 * `scopeUp` returns the current name of a scope; `limits` are those of accounts that set none.
 */
export function credentials(
  store: Store,
  clock: Clock,
  used: KeyUsed,
  scopeUp: (scope: string) => string,
  limits: AccountLimits,
): Authenticate {
  const parsed = new WeakMap<KeyRecord, Credential>()
  const proven = provenFields()
  return (authorization) => {
    const before = proven.find(authorization)
    const digest = before?.digest ?? keyDigest(readAuthorization(authorization).secret)
    return andThen(store.findKey(digest), (record) => admit(record, authorization, digest, before))
  }

  function admit(
    record: KeyRecord | null,
    authorization: string | undefined,
    digest: string,
    before: Proven | undefined,
  ): Principal {
    if (record === null) throw unauthorized('Unknown key.')

    const credential = parseOnce(record, parsed, scopeUp, limits)
    const now = clock.now()
    const { principal } = credential
    if (before?.credential !== credential) {
      prove(readAuthorization(authorization), digest, credential)
      proven.keep(authorization, { digest, credential })
    }
    if (credential.expiresAt <= now) throw unauthorized('The key has expired.')
    if (!credential.accountActive) throw unauthorized('The account of the key is not active.')
    used(principal, now)
    return principal
  }
}

/** Result of a verified `Authorization` field: the digest of its secret and the matching key. */
interface Proven {
  readonly digest: string
  readonly credential: Credential
}

/** Maximum of remembered fields; beyond it the cache starts empty again. */
const provenMax = 10_000

/**
 * Remembers the fields that were right, since a client sends the same one with every request. Nothing
 * is granted by it: the store is asked for the key each time.
 */
function provenFields() {
  const known = new Map<string | undefined, Proven>()
  return {
    find: (field: string | undefined): Proven | undefined => known.get(field),
    keep: (field: string | undefined, proven: Proven): void => {
      if (known.size >= provenMax) known.clear()
      known.set(field, proven)
    },
  }
}

/** Throws unless the key that was found is the one that is named. */
function prove(
  { keyId }: { readonly keyId: string | null },
  digest: string,
  { principal, digest: expected }: Credential,
): void {
  if (!isSame(digest, expected)) throw unauthorized('Unknown key.')
  if (keyId !== null && !isSame(keyId, Buffer.from(principal.keyId))) {
    throw unauthorized('The key id does not match the secret.')
  }
}

/** Parses a key once; a store that remembers what it found spares the rest. */
function parseOnce(
  record: KeyRecord,
  parsed: WeakMap<KeyRecord, Credential>,
  scopeUp: (scope: string) => string,
  limits: AccountLimits,
): Credential {
  const known = parsed.get(record)
  if (known !== undefined) return known
  const credential = parse(record, scopeUp, limits)
  parsed.set(record, credential)
  return credential
}

/** A key, parsed. */
interface Credential {
  readonly principal: Principal
  /** The octets of its text. */
  readonly digest: Uint8Array
  readonly expiresAt: Instant
  readonly accountActive: boolean
}

function parse(
  { key, account }: KeyRecord,
  scopeUp: (scope: string) => string,
  limits: AccountLimits,
): Credential {
  const { scopes, expiresAt }: { scopes: readonly string[]; expiresAt: string | null } = JSON.parse(
    key.doc,
  )
  const { digest }: { digest: string } = JSON.parse(key.hidden ?? '{"digest":""}')
  const own =
    account === null ? null : (JSON.parse(account.doc) as { active: boolean; limits?: OwnLimits })
  return {
    principal: {
      account: accountId(key.account),
      keyId: key.id,
      scopes: scopes.map(scopeUp),
      administrator: isAdministrator(scopes),
      expiresAt,
      limits: limitsOf(own?.limits, limits),
    },
    digest: Buffer.from(digest),
    expiresAt: expiresAt === null ? Infinity : (parseTimestamp(expiresAt) ?? -Infinity),
    accountActive: own?.active ?? true,
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

/** Compares in constant time, which reveals no position of a difference. */
function isSame(given: string, expected: Uint8Array): boolean {
  const octets = Buffer.from(given)
  return octets.length === expected.length && timingSafeEqual(octets, expected)
}

function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="nuncio", Basic realm="nuncio", charset="UTF-8"' },
  })
}
