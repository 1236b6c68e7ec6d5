import type { AccountId } from '../../core/account.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { Message } from '../../collections/messages.ts'
import { findOptOuts, pairText, type OptOut } from '../../collections/opt-outs.ts'
import type { StoredMessage } from './stored-message.ts'

/** Returns the messages whose recipients have opted out. Each account takes one query. */
export async function findBlocked<
  C extends { readonly account: AccountId; readonly kept: StoredMessage },
>(transaction: Transaction, claimed: readonly C[]): Promise<ReadonlySet<C>> {
  const blocked = new Set<C>()
  for (const [account, ofAccount] of Map.groupBy(claimed, (each) => each.account)) {
    const pairs = new Set(ofAccount.flatMap(({ kept }) => pairsOf(kept.message)))
    const found = await findOptOuts(transaction.in(account), [...pairs])
    const optedOut = new Set(found.map(({ doc }) => pairText(JSON.parse(doc) as OptOut)))
    if (optedOut.size === 0) continue
    for (const each of ofAccount) {
      if (pairsOf(each.kept.message).some((pair) => optedOut.has(pair))) blocked.add(each)
    }
  }
  return blocked
}

/** Returns the opt-outs that block a message: from its sender, or from every sender. */
function pairsOf({ to, from }: Message): readonly string[] {
  return [pairText({ address: to, sender: from }), pairText({ address: to, sender: null })]
}
