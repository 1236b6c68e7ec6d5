import type { AccountId } from '../../core/account.ts'
import { limitReached } from '../../core/account-limits.ts'
import type { MakePage } from '../../engine/large-pages.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Store } from '../../core/ports/store.ts'
import { accepts } from '../routing/check-head.ts'
import type { View } from '../routing/edge.ts'
import type { BytesInFlight } from '../server/bytes-in-flight.ts'
import { header } from '../server/request.ts'
import type { CursorCodecs } from './cursor-codec.ts'
import { eventStream, sharedReads } from './event-stream.ts'
import {
  type NotificationChoices,
  notificationPage,
  readNotificationRequest,
} from './notification-page.ts'

const mediaType = 'text/event-stream'

/**
 * Serves GET /v1/notifications: the records of the account, oldest first, at once: a page waits for none. As
 * `text/event-stream` it is a live stream (WHATWG HTML section 9.2) with one record per event; `Last-Event-ID` resumes
 * it. A stream whose account has no room in transit ends.
 */
export function notifications(
  store: Store,
  codecs: CursorCodecs,
  clock: Clock,
  choices: NotificationChoices,
  { makePage, inFlight }: { readonly makePage: MakePage; readonly inFlight: BytesInFlight },
): View {
  const streams = openStreams()
  const log = sharedReads(store.log)
  return {
    name: 'notifications',
    types: ['application/json', mediaType],
    get: async ({ request, parameters, asSent, principal, version, isStillAllowed }) => {
      const { account } = principal
      const codec = await codecs(account)
      const query = readNotificationRequest(
        codec,
        header(request, 'last-event-id'),
        parameters,
        choices,
      )
      const accept = header(request, 'accept') ?? ''
      const isStream = accept.includes(mediaType) && accepts(accept, mediaType)
      if (!isStream) {
        const make = () => notificationPage(store, codec, account, query, asSent, version)
        return makePage(account, query.limit, make)
      }
      const from = query.after ?? (await store.log.end(account))
      const close = streams.open(account, principal.limits?.eventStreams ?? Infinity)
      const gone = request.gone?.()
      const { filter } = query
      const source = { log, account, codec, from, filter, version, inFlight, gone, isStillAllowed }
      const body = eventStream(store, clock, source)
      return {
        status: 200,
        headers: { 'content-type': mediaType, 'cache-control': 'no-store' },
        body,
        written: close,
      }
    },
  }
}

/** The event streams that are open, by account. */
interface OpenStreams {
  /** Counts a stream; returns how to end the count. Throws `limit-reached`. */
  open(account: AccountId, maximum: number): () => void
}

/** Counts the event streams of one node. */
function openStreams(): OpenStreams {
  const counts = new Map<AccountId, number>()
  return {
    open: (account, maximum) => {
      const count = counts.get(account) ?? 0
      if (count >= maximum) throw limitReached('eventStreams', maximum)
      counts.set(account, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (counts.get(account) ?? 1) - 1
        if (left === 0) counts.delete(account)
        else counts.set(account, left)
      }
    },
  }
}
