import { keyDigest } from '../../core/secrets.ts'
import { type AccountLimits, limitsOf, type OwnLimits } from '../../core/account-limits.ts'
import { timingSafeEqual } from 'node:crypto'
import { type AccountId, accountId, isAdministrator } from '../../core/account.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { KeyRecord, Store } from '../../core/ports/store.ts'
import { Problem } from '../../core/problem.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { header, type RequestHead } from '../server/request.ts'
import type { ClientAddress } from './client-address.ts'
import type { FailureThrottle } from './faults-by-address.ts'

/**
 * Returns the principal of a request. Throws `unauthorized`, or `too-many-requests` after many failures
 * of its client.
 */
export type Authenticate = (request: RequestHead) => MaybePromise<Principal>

/** Records one use of a key or a session. */
export type NoteUse = (account: AccountId, id: string, at: Instant) => void

/** Returns the principal of a cookie; null if the request has none. */
export type FindSession = (request: RequestHead) => Promise<Principal> | null

/**
 * Checks keys against the store on every request, so that a revoked key stops working immediately. A
 * request without a key may have a session.
 */
export function credentials(
  store: Store,
  clock: Clock,
  used: NoteUse,
  read: ReadCredential,
  clients: { readonly addressOf: ClientAddress; readonly throttle: FailureThrottle },
  findSession: FindSession,
): Authenticate {
  const proven = provenFields()
  return (request) => {
    const authorization = header(request, 'authorization')
    const session = authorization === undefined ? findSession(request) : null
    if (session !== null) return session
    // A browser that waits for a sign-in must not open a dialog itself.
    if (authorization === undefined && header(request, 'sec-fetch-mode') !== undefined) {
      throw unauthorizedPage('Sign in, or send a key: Authorization: Bearer nuncio_…')
    }
    const before = proven.find(authorization)
    if (before === undefined && authorization !== undefined) {
      clients.throttle.check(clients.addressOf(request))
    }
    const digest = before?.digest ?? keyDigest(readAuthorization(authorization).secret)
    return andThen(store.findKey(digest), (record) => {
      try {
        return admit(record, authorization, digest, before)
      } catch (error) {
        if (error instanceof Problem) clients.throttle.failed(clients.addressOf(request))
        throw error
      }
    })
  }

  function admit(
    record: KeyRecord | null,
    authorization: string | undefined,
    digest: string,
    before: Proven | undefined,
  ): Principal {
    if (record === null) throw unauthorized('Unknown key.')

    const credential = read(record)
    const now = clock.now()
    const { principal } = credential
    if (before?.credential !== credential) {
      prove(readAuthorization(authorization), digest, credential)
      proven.keep(authorization, { digest, credential })
    }
    checkUsable(credential, now)
    used(principal.account, principal.keyId, now)
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

/** A key, parsed. */
export interface Credential {
  readonly principal: Principal
  /** The octets of its text. */
  readonly digest: Uint8Array
  readonly expiresAt: Instant
  readonly accountActive: boolean
}

/** Returns the credential of a stored key. */
export type ReadCredential = (record: KeyRecord) => Credential

/**
 * Parses each record once; a store that remembers what it found spares the rest. `scopeUp` returns the
 * current name of a scope; `limits` are those of accounts that set none.
 */
export function credentialReader(
  scopeUp: (scope: string) => string,
  limits: AccountLimits,
): ReadCredential {
  const parsed = new WeakMap<KeyRecord, Credential>()
  return (record) => {
    const known = parsed.get(record)
    if (known !== undefined) return known
    const credential = parse(record, scopeUp, limits)
    parsed.set(record, credential)
    return credential
  }
}

/** Throws `unauthorized` if a key has expired, or its account is not active. */
export function checkUsable({ expiresAt, accountActive }: Credential, now: Instant): void {
  if (expiresAt <= now) throw unauthorized('The key has expired.')
  if (!accountActive) throw unauthorized('The account of the key is not active.')
}

/** Every refusal of credentials names the ways to give them. */
export function unauthorized(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="nuncio", Basic realm="nuncio", charset="UTF-8"' },
  })
}

/** A challenge with Basic opens the browser's own dialog over the page that asked. */
export function unauthorizedPage(detail: string): Problem {
  return new Problem('unauthorized', detail, {
    headers: { 'www-authenticate': 'Bearer realm="nuncio"' },
  })
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
