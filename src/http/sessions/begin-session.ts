import { countExactly } from '../../core/account-limits.ts'
import { type AccountId, isAdministrator } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { keyDigest, newCookieSecret } from '../../core/secrets.ts'
import { Problem } from '../../core/problem.ts'
import type { Random } from '../../core/ports/random.ts'
import type { RowFilter, Stored, Transaction } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { recordChange } from '../../engine/audit.ts'
import type { Engine, OperationRequest } from '../../engine/operation.ts'
import type { ClientAddress } from '../access/client-address.ts'
import type { FailureThrottle } from '../access/faults-by-address.ts'
import { sessionMs } from './session-cookie.ts'

/** Sessions of an account at a time: a program that signs in with every request must not fill the store. */
const sessionsMax = 1000
/** Sessions of a key, or of a person, at a time: one cannot take the places of the others. */
const sessionsOfHolderMax = 50

/** Account, scopes and key of a sign-in. */
export interface SignIn {
  readonly account: AccountId
  readonly scopes: readonly string[]
  /** The key whose rights the session has. */
  readonly key: KeyOfSession | null
  /** The name of the person, if an OpenID provider knows it. */
  readonly person?: string
}

/** The key of a session. */
export interface KeyOfSession {
  readonly id: string
  readonly digest: string
  readonly expiresAt: string | null
}

/** Dependencies of a sign-in. */
export interface SignInParts extends Pick<Engine, 'store' | 'catalogue' | 'clock' | 'newId'> {
  readonly random: Random
  readonly collections: Readonly<
    Record<'sessions' | 'keys' | 'accounts' | 'signInCodes', Collection>
  >
  readonly addressOf: ClientAddress
  readonly throttle: FailureThrottle
}

/** A new session, and the secret of its cookie. */
export interface NewSession {
  readonly stored: Stored
  readonly secret: string
}

/** Begins a session, and records it in the audit. Throws `limit-reached` if the account or its holder has too many. */
export async function beginSession(
  { account, scopes, key, person }: SignIn,
  request: Pick<OperationRequest, 'version' | 'origin'>,
  transaction: Transaction,
  parts: SignInParts,
): Promise<NewSession> {
  const { random, clock, newId } = parts
  const { sessions } = parts.collections
  const writer = transaction.in(account)
  const count = await countExactly(writer, sessions)
  if (count >= sessionsMax) throw tooMany('The account', sessionsMax)
  const own = await writer.count(sessions, null, holderIs(key, person ?? null))
  if (own >= sessionsOfHolderMax) throw tooMany('The key or person', sessionsOfHolderMax)
  const id = newId(sessions.noun)
  const now = timestamp(clock.now())
  const latest = timestamp(clock.now() + sessionMs)
  const end = key?.expiresAt ?? latest
  const session = {
    id,
    key: key?.id ?? null,
    person: person ?? null,
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
    ...(person === undefined ? {} : { person }),
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

/** The sessions of a key; without one, those of a person, or of sign-in codes. */
function holderIs(key: KeyOfSession | null, person: string | null): RowFilter {
  const holder = { path: ['person'], operator: 'eq', values: [person] } as const
  const ofKey = { path: ['key'], operator: 'eq', values: [key?.id ?? null] } as const
  return { conditions: key === null ? [ofKey, holder] : [ofKey], searchTerms: [] }
}

function tooMany(whose: string, maximum: number): Problem {
  const detail = `${whose} has ${maximum} sessions. End some: DELETE /v1/sessions/{id}.`
  return new Problem('limit-reached', detail)
}
