import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { StoredMessage } from '../messages/stored-message.ts'

/** A message that will be submitted. */
interface Ready {
  readonly account: AccountId
  readonly kept: StoredMessage
}

/** Stores who sends from each address before it is sent: a reply goes to the account that sent last. */
export async function rememberSenders(
  transaction: Transaction,
  ready: readonly Ready[],
  now: Instant,
): Promise<void> {
  // Write in a fixed order to avoid deadlocks.
  const inOrder = [...lastByAddress(ready)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(inOrder.map(([from, account]) => transaction.in(account).sentFrom(from, now)))
}

/** Returns the account that sends from each address; of several, the last. */
function lastByAddress(ready: readonly Ready[]): ReadonlyMap<string, AccountId> {
  const last = new Map<string, AccountId>()
  for (const { account, kept } of ready) {
    if (kept.message.from !== '') last.set(kept.message.from, account)
  }
  return last
}
