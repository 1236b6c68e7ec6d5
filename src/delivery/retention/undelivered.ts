import { webhooks } from '../../collections/webhooks.ts'
import type { AccountId } from '../../core/account.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import type { Reader, Store, Stored } from '../../core/ports/store.ts'
import { readProgress } from '../progress/progress.ts'
import { asWebhook, filterOf } from '../progress/stored-webhook.ts'
import { pagesOf } from './all-accounts.ts'

/** The notifications that a webhook has not delivered. */
export interface Undelivered {
  readonly count: number
  /** Time of the oldest one; null if there is none. */
  readonly oldestAt: Instant | null
}

const none: Undelivered = { count: 0, oldestAt: null }

/** Returns what a webhook has not delivered. */
export async function undelivered(
  log: LogReader,
  reader: Pick<Reader, 'findConsumer'>,
  { account, id, doc }: Stored,
): Promise<Undelivered> {
  const webhook: JsonObject = JSON.parse(doc)
  const consumer = await reader.findConsumer(account, id)
  if (consumer === null) return none
  const { from } = readProgress(consumer.progress)
  const [place, filter] = [from ?? consumer.position, filterOf(asWebhook(webhook))]
  // Count first, because counting is sliced: searching the oldest of unwanted records would read all.
  const count = await log.count(account, place, filter)
  const [oldest] = count === 0 ? [] : await log.read(account, place, filter, 1)
  return oldest === undefined ? none : { count, oldestAt: oldest.at }
}

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
