import { accountId, isAdministrator } from '../../core/account.ts'
import { type AccountLimits, limitsOf, type OwnLimits } from '../../core/account-limits.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { KeyRecord } from '../../core/ports/store.ts'
import { Problem } from '../../core/problem.ts'
import { parseTimestamp } from '../../core/timestamp.ts'

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
