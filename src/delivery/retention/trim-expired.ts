import { accounts } from '../../collections/accounts.ts'
import { incomingMessages } from '../../collections/incoming-messages.ts'
import { type AccountId, accountId, defaultAccount } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { idempotentResponses } from '../../core/declaration/idempotent-responses.ts'
import type { Query } from '../../core/declaration/query.ts'
import { type Clock, wait } from '../../core/ports/clock.ts'
import { type Store, where } from '../../core/ports/store.ts'
import { sliceMax, slicePauseMs } from './trim.ts'

/** Collections whose instances say in `expiresAt` how long they are of use. */
const expiring: readonly Collection[] = [idempotentResponses, incomingMessages]

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

/** Every account; that of the administrator need not be stored. */
async function* allAccounts(store: Store): AsyncIterable<AccountId> {
  yield defaultAccount
  const page = where([], sliceMax)
  for (let last: string | null = null; ;) {
    const query: Query = last === null ? page : { ...page, start: { after: [last] } }
    const found = await store.read(defaultAccount, (reader) => reader.list(accounts, null, query))
    for (const { id } of found) if (id !== defaultAccount) yield accountId(id)
    last = found.at(-1)?.id ?? null
    if (found.length < sliceMax) return
  }
}
