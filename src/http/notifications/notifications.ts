import type { AccountId } from '../../core/account.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { MakePage } from '../../core/declaration/large-pages.ts'
import type { LogEntry, LogFilter, LogPosition } from '../../core/ports/notification-log.ts'
import type { Store } from '../../core/ports/store.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { recordDown } from '../../versions/record-down.ts'
import type { ServedVersion } from '../../versions/served-version.ts'
import { accepts } from '../routing/check-accept.ts'
import {
  readNotificationRequest,
  type NotificationRequest,
  type NotificationChoices,
} from './notification-parameters.ts'
import { header, type PlainResponse } from '../server/request.ts'
import type { View } from '../routing/edge.ts'
import { openStreams } from './open-streams.ts'
import type { CursorCodecs, CursorCodec } from './cursor-codec.ts'

const eventStream = 'text/event-stream'
/** Records that a stream reads from the log at a time. */
const streamBatch = 100
/**
 * Silence of a stream before a heartbeat, in milliseconds; below the idle timeout of common
 * proxies.
 */
const heartbeatMs = 15_000

/**
 * Serves GET /v1/notifications: the records of the account, oldest first. As `text/event-stream` it
 * is a live stream (WHATWG HTML section 9.2) with one record per event; `Last-Event-ID` resumes it.
 */
export function notifications(
  store: Store,
  codecs: CursorCodecs,
  clock: Clock,
  choices: NotificationChoices,
  makePage: MakePage,
): View {
  const streams = openStreams()
  return {
    name: 'notifications',
    types: ['application/json', eventStream],
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
      const isStream = accept.includes(eventStream) && accepts(accept, eventStream)
      if (!isStream) {
        const make = () => page(store, codec, account, query, asSent, version)
        return makePage(account, query.limit, make)
      }
      const from = query.after ?? (await store.log.end(account))
      const close = streams.open(account, principal.limits?.eventStreams ?? Infinity)
      const gone = request.gone?.()
      const signal = logSignal(store, clock, account, gone)
      const { filter } = query
      const reading = { account, codec, from, filter, version, gone, isStillAllowed }
      const body = stream(store, signal, clock, reading)
      return {
        status: 200,
        headers: { 'content-type': eventStream, 'cache-control': 'no-store' },
        body,
        written: close,
      }
    },
  }
}

async function page(
  store: Store,
  codec: CursorCodec,
  account: AccountId,
  query: NotificationRequest,
  parameters: readonly FilterParameter[],
  version: ServedVersion,
): Promise<PlainResponse> {
  const { after, filter, limit } = query
  const end = await store.log.end(account)
  const entries = await store.log.read(account, after, filter, limit)
  const next = await nextCursor(store, codec, account, query, entries, end)
  const kept = parameters.filter(([name]) => name !== 'after').map(([name, value]) => [name, value])
  const link = (rel: string, place: string[][]): string => {
    const text = new URLSearchParams([...kept, ...place].map(pair)).toString()
    return `</${version.name}/notifications${text === '' ? '' : `?${text}`}>; rel="${rel}"`
  }
  return {
    status: 200,
    headers: { link: [link('first', []), link('next', [['after', next]])].join(', ') },
    body: `[${entries.map(({ record }) => recordDown(version, record)).join(',')}]`,
  }
}

/**
 * Returns the cursor of the next page: the log has no last page. After a page that is not full it
 * is `end`, the end of the log, to skip other records only once. If a matching record arrived
 * since, it is the last one read.
 */
async function nextCursor(
  store: Store,
  codec: CursorCodec,
  account: AccountId,
  { after, filter, limit }: NotificationRequest,
  entries: readonly LogEntry[],
  end: LogPosition,
): Promise<string> {
  const last = entries.at(-1)
  if (last !== undefined && entries.length === limit) return codec.encode(last.position)
  const [newer] = await store.log.read(account, end, filter, 1)
  if (newer === undefined) return codec.encodeSalted(end)
  if (last !== undefined) return codec.encode(last.position)
  return after === null ? '0' : codec.encodeSalted(after)
}

function pair([name = '', value = '']: string[]): [string, string] {
  return [name, value]
}

/** Inputs of a stream: account, start and filter. */
interface StreamSource {
  readonly account: AccountId
  readonly codec: CursorCodec
  readonly from: LogPosition
  readonly filter: LogFilter
  readonly version: ServedVersion
  readonly gone: AbortSignal | undefined
  /** Returns true while the key that opened the stream is valid. */
  readonly isStillAllowed: () => Promise<boolean>
}

/** Sends stored records, then new ones, until the client disconnects or its key becomes invalid. */
async function* stream(
  store: Store,
  signal: LogSignal,
  clock: Clock,
  { account, codec, from, filter, version, gone, isStillAllowed }: StreamSource,
): AsyncIterable<string> {
  try {
    // Clients do not dispatch an event without data; they store its id as cursor.
    yield `id: ${codec.encodeSalted(from)}\n\n`
    let position = from
    let sentAt = clock.monotonic()
    while (gone?.aborted !== true) {
      const end = await store.log.end(account)
      const entries = await store.log.read(account, position, filter, streamBatch)
      if (!(await isStillAllowed())) return
      if (entries.length > 0) yield entries.map((entry) => event(entry, codec, version)).join('')
      // If no record matches, skip those read.
      position = entries.at(-1)?.position ?? end
      if (entries.length > 0) sentAt = clock.monotonic()
      else if (!(await signal.waitUntil(sentAt + heartbeatMs))) {
        yield `: still here\nid: ${codec.encodeSalted(position)}\n\n`
        sentAt = clock.monotonic()
      }
    }
  } finally {
    signal.close()
  }
}

function event({ position, record }: LogEntry, codec: CursorCodec, version: ServedVersion): string {
  return `id: ${codec.encode(position)}\ndata: ${recordDown(version, record)}\n\n`
}

/** A signal that the log may have new records. */
interface LogSignal {
  /** Waits until it rings, true, or until the moment given on the clock that never goes back, false. */
  waitUntil(until: number): Promise<boolean>
  close(): void
}

/**
 * Rings when the account's log grew, or keys changed; what rang before anyone listened is not lost.
 */
function logSignal(
  store: Store,
  clock: Clock,
  account: AccountId,
  gone: AbortSignal | undefined,
): LogSignal {
  let grown = true
  let wake: ((rang: boolean) => void) | null = null
  const ring = (): void => {
    grown = true
    wake?.(true)
  }
  const stop = store.onCommit(({ notified, changed }) => {
    if (notified.has(account) || changed.has('keys') || changed.has('accounts')) ring()
  })
  gone?.addEventListener('abort', ring, { once: true })
  return {
    waitUntil: async (until) => {
      if (!grown) {
        let cancel = (): void => {}
        const rang = await new Promise<boolean>((resolve) => {
          wake = resolve
          cancel = clock.after(Math.max(until - clock.monotonic(), 0), () => resolve(false))
        })
        cancel()
        wake = null
        if (!rang) return false
      }
      grown = false
      return true
    },
    close: stop,
  }
}
