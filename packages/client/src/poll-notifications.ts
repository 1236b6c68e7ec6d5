import { wait } from './clock.ts'
import type { Place } from './feed.ts'
import type {
  NotificationListQuery,
  Notifications,
  NotificationType,
  PollQuery,
  RecordOf,
} from './notification.ts'
import type { RequestOptions } from './options.ts'
import { isPassing, wantedWaitMs } from './passing.ts'
import type { Settings } from './settings.ts'

/** Records asked for at a time: few requests, and pages that are quickly read. */
const pageSize = 500
const everyMsDefault = 5000

/** Reads the log behind a place page by page, and asks again when there is nothing more. */
export async function* pollNotifications<T extends NotificationType>(
  list: Notifications['list'],
  { clock }: Pick<Settings, 'clock'>,
  query: PollQuery<T>,
  place: Place,
  options: RequestOptions,
): AsyncGenerator<RecordOf<T>, void> {
  const { types, statuses, everyMs = everyMsDefault } = query
  for (;;) {
    let delayMs = everyMs
    try {
      const asked: NotificationListQuery<T> = {
        types,
        statuses,
        pageSize,
        after: place.id ?? undefined,
      }
      const { items, next } = await list(asked, options)
      yield* items
      // Only now is the page handed out: who stops within it gets all of it again.
      place.id = next ?? place.id
      if (items.length === pageSize) delayMs = 0
    } catch (error) {
      if (!isPassing(error)) throw error
      delayMs += wantedWaitMs(error)
    }
    if (delayMs > 0) await wait(clock, delayMs, options.signal)
  }
}
