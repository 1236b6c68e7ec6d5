import { keyDigest } from '../../core/secrets.ts'
import { defaultAccount, everyAccount } from '../../core/account.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { sameJson } from '../../core/json.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Stored } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import {
  checkUsable,
  type Credential,
  type FindSession,
  type NoteUse,
  type ReadCredential,
  unauthorizedPage,
} from '../access/credentials.ts'
import type { SignInParts } from './begin-session.ts'
import { checkSameOrigin, readSessionCookie } from './session-cookie.ts'

/** Time without a request after which a session ends, in milliseconds. */
const idleMs = 3_600_000

/**
 * Finds the session of a cookie on every request, so that one that has ended stops working immediately.
 * A session with a key ends with it, and if its scopes change.
 */
export function sessionFinder(
  { store, clock, collections }: Pick<SignInParts, 'store' | 'clock' | 'collections'>,
  used: NoteUse,
  read: ReadCredential,
): FindSession {
  return (request) => {
    const secret = readSessionCookie(request)
    return secret === null ? null : find(secret, request)
  }

  async function find(secret: string, request: Parameters<FindSession>[0]): Promise<Principal> {
    const session = await store.read(everyAccount, (reader) =>
      reader.find(collections.sessions, { field: 'digest', value: keyDigest(secret) }),
    )
    const now = clock.now()
    if (session === null || isOver(session, now)) throw ended()
    const holder = await holderOf(session)
    checkUsable(holder, now)
    checkSameOrigin(request)
    used(session.account, session.id, now)
    const { person }: { person?: string | null } = JSON.parse(session.doc)
    return { ...holder.principal, session: session.id, ...(person ? { person } : {}) }
  }

  /** Returns the credential of a session: that of its key, or its own without a key. */
  async function holderOf(session: Stored): Promise<Credential> {
    const { keyDigest: digest }: { keyDigest?: string } = JSON.parse(session.hidden ?? '{}')
    if (digest === undefined) {
      const account = await store.read(defaultAccount, (reader) =>
        reader.find(collections.accounts, { id: session.account }),
      )
      return read({ key: { ...session, doc: withoutExpiry(session.doc) }, account })
    }
    const record = await store.findKey(digest)
    if (record === null || !sameJson(scopesOf(record.key), scopesOf(session))) throw ended()
    return read(record)
  }
}

/** A session ends after hours, the keys that it makes need not. */
function withoutExpiry(doc: string): string {
  return JSON.stringify({ ...JSON.parse(doc), expiresAt: null })
}

function isOver({ doc, hidden }: Stored, now: Instant): boolean {
  const { expiresAt, createdAt }: { expiresAt: string; createdAt: string } = JSON.parse(doc)
  const { usedAt }: { usedAt?: string | null } = JSON.parse(hidden ?? '{}')
  const lastUse = parseTimestamp(usedAt ?? createdAt) ?? -Infinity
  return (parseTimestamp(expiresAt) ?? -Infinity) <= now || lastUse + idleMs <= now
}

function scopesOf({ doc }: Stored): readonly string[] {
  const { scopes }: { scopes: readonly string[] } = JSON.parse(doc)
  return scopes
}

function ended() {
  return unauthorizedPage('The session has ended. Sign in again.')
}
