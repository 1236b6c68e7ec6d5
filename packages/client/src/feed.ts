import type { NotificationFeed } from './notification.ts'

/** Where a feed has come to. */
export interface Place {
  id: string | null
}

/** Goes on from a place without end, and moves the place along. */
export type Follow<R> = (place: Place) => AsyncIterator<R>

/** Makes a feed. Whoever iterates it again goes on where it stopped. */
export function feed<R>(after: string | undefined, follow: Follow<R>): NotificationFeed<R> {
  const place: Place = { id: after ?? null }
  return {
    get lastEventId() {
      return place.id
    },
    [Symbol.asyncIterator]: () => follow(place),
  }
}
