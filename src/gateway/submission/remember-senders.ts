import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { StoredMessage } from '../messages/stored-message.ts'

/** A message that will be submitted. */
interface Ready {
  readonly account: AccountId
  readonly kept: StoredMessage
}

/** Stores who sends from each address before it is sent: replies go to the only account that did. */
export async function rememberSenders(
  transaction: Transaction,
  ready: readonly Ready[],
  now: Instant,
): Promise<void> {
  // Write in a fixed order to avoid deadlocks.
  const inOrder = [...sendersOf(ready)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(
    inOrder.map(([, { from, account }]) => transaction.in(account).sentFrom(from, now)),
  )
}

/** A sender and an account that sends from it. */
interface UsedSender {
  readonly from: string
  readonly account: AccountId
}

/** Returns each sender with each account that uses it, by a text of both. */
function sendersOf(ready: readonly Ready[]): ReadonlyMap<string, UsedSender> {
  const used = new Map<string, UsedSender>()
  for (const { account, kept } of ready) {
    const { from } = kept.message
    if (from !== '') used.set(`${from} ${account}`, { from, account })
  }
  return used
}
