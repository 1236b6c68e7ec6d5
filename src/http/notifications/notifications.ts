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
  readAsked,
  type NotificationRequest,
  type NotificationChoices,
} from './notification-parameters.ts'
import { header, type PlainAnswer } from '../server/request.ts'
import type { View } from '../routing/edge.ts'
import type { PlacesOf, CursorCodec } from './cursor-codec.ts'

const eventStream = 'text/event-stream'
/** Records that a stream reads from the log at a time. */
const streamSlice = 100
/** How long a stream is silent before it says that it is there; below the idle time of common proxies. */
const heartbeatMs = 15_000

/**
 * GET /v1/notifications: the records of the account, oldest first. As `text/event-stream` a live
 * stream (WHATWG HTML section 9.2), one record an event, that goes on behind `Last-Event-ID`.
 */
export function notifications(
  store: Store,
  placesFor: PlacesOf,
  clock: Clock,
  choices: NotificationChoices,
  makePage: MakePage,
): View {
  return {
    name: 'notifications',
    types: ['application/json', eventStream],
    get: async ({ request, parameters, principal, version, mayStill }) => {
      const { account } = principal
      const places = await placesFor(account)
      const asked = readAsked(places, header(request, 'last-event-id'), parameters, choices)
      const accept = header(request, 'accept') ?? ''
      const streams = accept.includes(eventStream) && accepts(accept, eventStream)
      if (!streams) {
        return makePage(asked.limit, () => page(store, places, account, asked, parameters, version))
      }
      const from = asked.after ?? (await store.log.end(account))
      const gone = request.gone?.()
      const bell = doorbell(store, clock, account, gone)
      const { filter } = asked
      const reading = { account, places, from, filter, version, gone, mayStill }
      const body = stream(store, bell, clock, reading)
      return {
        status: 200,
        headers: { 'content-type': eventStream, 'cache-control': 'no-store' },
        body,
      }
    },
  }
}

async function page(
  store: Store,
  places: CursorCodec,
  account: AccountId,
  asked: NotificationRequest,
  parameters: readonly FilterParameter[],
  version: ServedVersion,
): Promise<PlainAnswer> {
  const { after, filter, limit } = asked
  const end = await store.log.end(account)
  const entries = await store.log.read(account, after, filter, limit)
  const next = await placeBehind(store, places, account, asked, entries, end)
  const kept = parameters.filter(([name]) => name !== 'after').map(([name, value]) => [name, value])
  const link = (rel: string, place: string[][]): string => {
    const query = new URLSearchParams([...kept, ...place].map(pair)).toString()
    return `</${version.name}/notifications${query === '' ? '' : `?${query}`}>; rel="${rel}"`
  }
  return {
    status: 200,
    headers: { link: [link('first', []), link('next', [['after', next]])].join(', ') },
    body: `[${entries.map(({ record }) => recordDown(version, record)).join(',')}]`,
  }
}

/**
 * Where to go on: the log has no last page. Behind a page that is not full it is the end of the log,
 * `end`, so that what is not wanted is passed over once; unless something came in meanwhile.
 */
async function placeBehind(
  store: Store,
  places: CursorCodec,
  account: AccountId,
  { after, filter, limit }: NotificationRequest,
  entries: readonly LogEntry[],
  end: LogPosition,
): Promise<string> {
  const last = entries.at(-1)
  if (last !== undefined && entries.length === limit) return places.encode(last.position)
  const [newer] = await store.log.read(account, end, filter, 1)
  if (newer === undefined) return places.sealAnew(end)
  if (last !== undefined) return places.encode(last.position)
  return after === null ? '0' : places.sealAnew(after)
}

function pair([name = '', value = '']: string[]): [string, string] {
  return [name, value]
}

/** Who reads a stream, from where, and what. */
interface Reading {
  readonly account: AccountId
  readonly places: CursorCodec
  readonly from: LogPosition
  readonly filter: LogFilter
  readonly version: ServedVersion
  readonly gone: AbortSignal | undefined
  /** Whether the key that opened the stream would still open it. */
  readonly mayStill: () => Promise<boolean>
}

/** Writes what is in the log, then what comes, until the client has gone or its key does not work any more. */
async function* stream(
  store: Store,
  bell: Doorbell,
  clock: Clock,
  { account, places, from, filter, version, gone, mayStill }: Reading,
): AsyncIterable<string> {
  try {
    // An event without data is not handed on; it tells the client its place.
    yield `id: ${places.sealAnew(from)}\n\n`
    let position = from
    let spokeAt = clock.monotonic()
    while (gone?.aborted !== true) {
      const end = await store.log.end(account)
      const entries = await store.log.read(account, position, filter, streamSlice)
      if (!(await mayStill())) return
      if (entries.length > 0) yield entries.map((entry) => event(entry, places, version)).join('')
      // Where nothing is wanted, what is there is passed over.
      position = entries.at(-1)?.position ?? end
      if (entries.length > 0) spokeAt = clock.monotonic()
      else if (!(await bell.rung(spokeAt + heartbeatMs))) {
        yield `: still here\nid: ${places.sealAnew(position)}\n\n`
        spokeAt = clock.monotonic()
      }
    }
  } finally {
    bell.close()
  }
}

function event(
  { position, record }: LogEntry,
  places: CursorCodec,
  version: ServedVersion,
): string {
  return `id: ${places.encode(position)}\ndata: ${recordDown(version, record)}\n\n`
}

/** Tells a stream when to look again. */
interface Doorbell {
  /** Waits until it rings, true, or until the moment given on the clock that never goes back, false. */
  rung(until: number): Promise<boolean>
  close(): void
}

/**
 * Rings when the account's log grew, or keys changed; what rang before anyone listened is not lost.
 */
function doorbell(
  store: Store,
  clock: Clock,
  account: AccountId,
  gone: AbortSignal | undefined,
): Doorbell {
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
    rung: async (until) => {
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
