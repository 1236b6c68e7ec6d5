import { auditEvents } from '../../collections/audit-events.ts'
import { incomingMessages } from '../../collections/incoming-messages.ts'
import { sessions } from '../../collections/sessions/sessions.ts'
import { signInCodes } from '../../collections/sessions/sign-in-codes.ts'
import { statistics } from '../../collections/derived/statistics.ts'
import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { idempotentResponses } from '../../core/declaration/idempotent-responses.ts'
import { type Clock, wait } from '../../core/ports/clock.ts'
import { type Store, where } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { allAccounts } from '../workers/all-accounts.ts'
import { separately } from './separately.ts'
import { sliceMax, slicePauseMs } from './trim.ts'

/** Dependencies of the removal of expired instances. */
export interface ExpiryParts {
  readonly store: Store
  readonly clock: Clock
  /** Time for which audit events are stored, in milliseconds. */
  readonly auditKeptMs: number
}

/** A collection whose instances are removed some time after the time in one of their fields. */
interface Expiring {
  readonly collection: Collection
  readonly field: string
  readonly keptMs: number
}

/** Instances of these collections say themselves how long they are of use. */
const withExpiry = [idempotentResponses, incomingMessages, statistics, sessions, signInCodes]

/** Removes the instances of every account that have expired, a slice at a time. */
export async function trimExpired(parts: ExpiryParts, signal: AbortSignal): Promise<void> {
  const expiring: readonly Expiring[] = [
    ...withExpiry.map((collection) => ({ collection, field: 'expiresAt', keptMs: 0 })),
    { collection: auditEvents, field: 'date', keptMs: parts.auditKeptMs },
  ]
  await separately(allAccounts(parts.store), async (account) => {
    for (const each of expiring) await trimExpiredOf(parts, account, each, signal)
  })
}

async function trimExpiredOf(
  { store, clock }: ExpiryParts,
  account: AccountId,
  { collection, field, keptMs }: Expiring,
  signal: AbortSignal,
): Promise<void> {
  const isText = collection.fields[field]?.kind === 'timestamp'
  while (!signal.aborted) {
    const end = clock.now() - keptMs
    const values = [isText ? timestamp(end) : end]
    const isExpired = { path: [field], operator: 'lte', values } as const
    const removed = await store.transact(async (transaction) => {
      const writer = transaction.in(account)
      const expired = await writer.list(collection, null, where([isExpired], sliceMax))
      for (const { id } of expired) await writer.remove(collection, { id })
      return expired.length
    })
    if (removed < sliceMax) return
    await wait(clock, slicePauseMs, signal)
  }
}
