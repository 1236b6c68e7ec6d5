import { auditEvents } from '../../collections/audit-events.ts'
import { deliveries } from '../../collections/deliveries.ts'
import { statistics } from '../../collections/derived/statistics.ts'
import { incomingMessages } from '../../collections/incoming-messages.ts'
import { replays } from '../../collections/replays.ts'
import { sessions } from '../../collections/sessions/sessions.ts'
import { signInCodes } from '../../collections/sessions/sign-in-codes.ts'
import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { idempotentResponses } from '../../core/declaration/idempotent-responses.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import { type Reader, type Store, type Stored, where } from '../../core/ports/store.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { allAccounts, separately } from './all-accounts.ts'

/** Maximum rows removed in one transaction. */
export const sliceMax = 200

/** The rest of the service comes first: slices leave room between them. */
export const slicePauseMs = 20

/** Removes the attempts at a webhook that were made before `before`, a slice at a time. */
export function trimDeliveries(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  return trimSlices(store, clock, webhook, deliveries, signal, async (reader) => {
    // Their identifiers are in the order of time, so the oldest are the first.
    const oldest = await reader.list(deliveries, webhook.id, where([], sliceMax))
    return oldest.filter((delivery) => dateOf(delivery) < before)
  })
}

function dateOf({ doc }: Stored): Instant {
  const { date }: { readonly date?: unknown } = JSON.parse(doc)
  return (typeof date === 'string' ? parseTimestamp(date) : null) ?? 0
}

/** Removes the replays of a webhook that ended before `before`, a slice at a time. */
export function trimReplays(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  const isOld = { path: ['endedAt'], operator: 'lt', values: [timestamp(before)] } as const
  return trimSlices(store, clock, webhook, replays, signal, (reader) =>
    reader.list(replays, webhook.id, where([isOld], sliceMax)),
  )
}

/** Removes what `findOld` returns, until a slice is not full. */
async function trimSlices(
  store: Store,
  clock: Clock,
  { account, id: parent }: Stored,
  collection: Collection,
  signal: AbortSignal,
  findOld: (reader: Reader) => Promise<readonly Stored[]>,
): Promise<void> {
  while (!signal.aborted) {
    const old = await store.read(account, findOld)
    if (old.length > 0) {
      await store.transact(async (transaction) => {
        const writer = transaction.in(account)
        for (const { id } of old) await writer.remove(collection, { id, parent })
      })
    }
    if (old.length < sliceMax) return
    await wait(clock, slicePauseMs, signal)
  }
}

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
