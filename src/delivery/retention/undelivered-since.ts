import { webhooks } from '../../collections/webhooks.ts'
import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Store } from '../../core/ports/store.ts'
import { undelivered } from '../progress/undelivered.ts'
import { pagesOf } from './pages-of.ts'

/** Entries of a log are not exactly in the order of their times: the clocks of nodes differ. */
const clockSlackMs = 60_000

/**
 * Returns the time before which every notification of an account was delivered or given up, on every
 * webhook; infinite if none waits.
 */
export async function undeliveredSince(store: Store, account: AccountId): Promise<Instant> {
  let since = Infinity
  for await (const page of pagesOf(store, account, webhooks)) {
    await store.read(account, async (reader) => {
      for (const webhook of page) {
        const { oldestAt } = await undelivered(store.log, reader, webhook)
        if (oldestAt !== null) since = Math.min(since, oldestAt - clockSlackMs)
      }
    })
  }
  return since
}
