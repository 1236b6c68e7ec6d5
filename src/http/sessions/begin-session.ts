import { countExactly } from '../../core/declaration/account-limits.ts'
import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { isAdministrator } from '../../core/declaration/scope.ts'
import { keyDigest, newCookieSecret } from '../../core/secrets/key-secret.ts'
import { Problem } from '../../core/problem.ts'
import type { Random } from '../../core/ports/random.ts'
import type { Stored, Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { recordChange } from '../../engine/audit.ts'
import type { Engine, OperationRequest } from '../../engine/operation.ts'
import { sessionMs } from './session-cookie.ts'

/** Sessions of an account at a time: a program that signs in with every request must not fill the store. */
const sessionsMax = 1000

/** Account, scopes and key of a sign-in. */
export interface SignIn {
  readonly account: AccountId
  readonly scopes: readonly string[]
  /** The key whose rights the session has. */
  readonly key: KeyOfSession | null
}

/** The key of a session. */
export interface KeyOfSession {
  readonly id: string
  readonly digest: string
  readonly expiresAt: string | null
}

/** Dependencies of a sign-in. */
export interface SignInParts extends Pick<Engine, 'catalogue' | 'clock' | 'newId'> {
  readonly sessions: Collection
  readonly random: Random
}

/** A new session, and the secret of its cookie. */
export interface NewSession {
  readonly stored: Stored
  readonly secret: string
}

/** Begins a session, and records it in the audit. Throws `limit-reached` if the account has too many. */
export async function beginSession(
  { account, scopes, key }: SignIn,
  request: Pick<OperationRequest, 'version' | 'origin'>,
  transaction: Transaction,
  parts: SignInParts,
): Promise<NewSession> {
  const { sessions, random, clock, newId } = parts
  const writer = transaction.in(account)
  const count = await countExactly(writer, sessions)
  if (count >= sessionsMax) throw tooMany()
  const id = newId(sessions.noun)
  const now = timestamp(clock.now())
  const latest = timestamp(clock.now() + sessionMs)
  const end = key?.expiresAt ?? latest
  const session = {
    id,
    key: key?.id ?? null,
    account,
    scopes,
    expiresAt: end < latest ? end : latest,
    createdAt: now,
    updatedAt: now,
  }
  const secret = newCookieSecret(random)
  const hidden = {
    digest: keyDigest(secret),
    ...(key === null ? {} : { keyDigest: key.digest }),
  }
  const stored = await writer.save(sessions, { id }, session, hidden)
  const principal: Principal = {
    account,
    keyId: key?.id ?? id,
    scopes,
    administrator: isAdministrator(scopes),
  }
  const signedIn = {
    declared: sessions,
    action: 'SIGNED_IN',
    parent: null,
    id,
    fields: [],
  } as const
  await recordChange({ ...request, principal }, signedIn, writer, parts)
  return { stored, secret }
}

function tooMany(): Problem {
  const detail = `The account has ${sessionsMax} sessions. End some: DELETE /v1/sessions/{id}.`
  return new Problem('limit-reached', detail)
}
