import type { NotificationFeed } from './notification.ts'

/** The position of a feed in the log. */
export interface FeedCursor {
  id: string | null
}

/** Yields records after a cursor without end, and moves the cursor. */
export type FollowLog<R> = (cursor: FeedCursor) => AsyncIterator<R>

/** Makes a feed. A second iteration resumes at the cursor of the first. */
export function feed<R>(after: string | undefined, follow: FollowLog<R>): NotificationFeed<R> {
  const cursor: FeedCursor = { id: after ?? null }
  return {
    get lastEventId() {
      return cursor.id
    },
    [Symbol.asyncIterator]: () => follow(cursor),
  }
}
