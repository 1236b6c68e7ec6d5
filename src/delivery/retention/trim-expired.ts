import { incomingMessages } from '../../collections/incoming-messages.ts'
import { statistics } from '../../collections/derived/statistics.ts'
import type { AccountId } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { idempotentResponses } from '../../core/declaration/idempotent-responses.ts'
import { type Clock, wait } from '../../core/ports/clock.ts'
import { type Store, where } from '../../core/ports/store.ts'
import { allAccounts } from '../workers/all-accounts.ts'
import { sliceMax, slicePauseMs } from './trim.ts'

/** Collections whose instances say in `expiresAt` how long they are of use. */
const expiring: readonly Collection[] = [idempotentResponses, incomingMessages, statistics]

/** Removes the instances of every account that have expired, a slice at a time. */
export async function trimExpired(store: Store, clock: Clock, signal: AbortSignal): Promise<void> {
  for await (const account of allAccounts(store)) {
    for (const collection of expiring) {
      await trimExpiredOf(store, clock, account, collection, signal)
    }
  }
}

async function trimExpiredOf(
  store: Store,
  clock: Clock,
  account: AccountId,
  collection: Collection,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isExpired = { path: ['expiresAt'], operator: 'lte', values: [clock.now()] } as const
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
