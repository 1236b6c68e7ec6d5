import { wait } from '../clock.ts'
import type { RequestOptions } from '../options.ts'
import { isTransient, requestedWaitMs } from '../requests/judge.ts'
import type { Settings } from '../settings.ts'
import type { FeedCursor } from './feed.ts'
import type {
  NotificationListQuery,
  Notifications,
  NotificationType,
  PollQuery,
  RecordOf,
} from './notification.ts'

/** Records per request: few requests, and pages that are quickly read. */
const pageSize = 500
const everyMsDefault = 5000

/** Reads the log after a cursor page by page, and repeats at an interval when no record follows. */
export async function* pollNotifications<T extends NotificationType>(
  list: Notifications['list'],
  { clock }: Pick<Settings, 'clock'>,
  query: PollQuery<T>,
  cursor: FeedCursor,
  options: RequestOptions,
): AsyncGenerator<RecordOf<T>, void> {
  const { types, statuses, everyMs = everyMsDefault } = query
  for (;;) {
    let delayMs = everyMs
    try {
      const listQuery: NotificationListQuery<T> = {
        types,
        statuses,
        pageSize,
        after: cursor.id ?? undefined,
      }
      const { items, next } = await list(listQuery, options)
      yield* items
      // Move the cursor after the whole page: a caller that stops within it gets all of it again.
      cursor.id = next ?? cursor.id
      if (items.length === pageSize) delayMs = 0
    } catch (error) {
      if (!isTransient(error)) throw error
      delayMs += requestedWaitMs(error)
    }
    if (delayMs > 0) await wait(clock, delayMs, options.signal)
  }
}
