import type { AccountId } from '../../core/account.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Reader } from '../../core/ports/store.ts'
import type { Message } from '../../collections/messages.ts'
import { findOptOuts, pairText, type OptOut } from '../../collections/opt-outs.ts'
import type { KeptMessage } from './stored-message.ts'

/** Reads what an account has, in a transaction or beside it. */
type Read = <T>(account: AccountId, work: (reader: Reader) => MaybePromise<T>) => Promise<T>

/** Those of the messages whose recipients have opted out, by one look into the store for each account. */
export async function blockedAmong<
  C extends { readonly account: AccountId; readonly kept: KeptMessage },
>(read: Read, claimed: readonly C[]): Promise<ReadonlySet<C>> {
  const blocked = new Set<C>()
  for (const [account, ofAccount] of Map.groupBy(claimed, (each) => each.account)) {
    const pairs = new Set(ofAccount.flatMap(({ kept }) => pairsOf(kept.message)))
    const found = await read(account, (reader) => findOptOuts(reader, [...pairs]))
    const optedOut = new Set(found.map(({ doc }) => pairText(JSON.parse(doc) as OptOut)))
    if (optedOut.size === 0) continue
    for (const each of ofAccount) {
      if (pairsOf(each.kept.message).some((pair) => optedOut.has(pair))) blocked.add(each)
    }
  }
  return blocked
}

/** What an opt-out can be for that keeps a message back: its sender, or every one. */
function pairsOf({ to, from }: Message): readonly string[] {
  return [pairText({ address: to, sender: from }), pairText({ address: to, sender: null })]
}
