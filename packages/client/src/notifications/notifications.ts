import type { Caller } from '../requests/call.ts'
import { feed } from './feed.ts'
import { nextCursor } from '../operations/next-cursor.ts'
import type {
  NotificationListQuery,
  Notifications,
  NotificationType,
  RecordOf,
} from './notification.ts'
import type { Page } from '../declarations/list-query.ts'
import type { RequestOptions } from '../options.ts'
import { parseList } from '../requests/parse-answer.ts'
import { pollNotifications } from './poll-notifications.ts'
import type { Settings } from '../settings.ts'
import { streamNotifications } from './stream-notifications.ts'

/** Makes the operations on the notifications of the account. */
export function notifications(call: Caller, settings: Settings): Notifications {
  const list = async <T extends NotificationType>(
    query: NotificationListQuery<T> = {},
    options?: RequestOptions,
  ): Promise<Page<RecordOf<T>>> => {
    const answer = await call({ method: 'GET', path: pathOf(query), options })
    // The service guarantees the form of its records.
    const items = parseList(answer) as readonly RecordOf<T>[]
    return { items, next: nextCursor(answer.headers.get('link')) }
  }
  return {
    list,
    stream: ({ after, ...query } = {}, options = {}) =>
      feed(after, (cursor) => streamNotifications(settings, pathOf(query), cursor, options)),
    poll: (query = {}, options = {}) =>
      feed(query.after, (cursor) => pollNotifications(list, settings, query, cursor, options)),
  }
}

function pathOf({
  types,
  statuses,
  after,
  pageSize,
}: NotificationListQuery<NotificationType>): string {
  const query = new URLSearchParams({
    ...(types === undefined ? {} : { types: types.join(',') }),
    ...(statuses === undefined ? {} : { statuses: statuses.join(',') }),
    ...(after === undefined ? {} : { after }),
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
  }).toString()
  return query === '' ? 'notifications' : `notifications?${query}`
}
