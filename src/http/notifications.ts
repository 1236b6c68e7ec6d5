import type { AccountId } from '../core/account.ts'
import type { Clock } from '../core/clock.ts'
import type { LogEntry, LogFilter, Position } from '../core/notification-log.ts'
import type { Store } from '../core/store.ts'
import type { Parameter } from '../engine/query/filter-parameters.ts'
import { recordDown } from '../versions/record-down.ts'
import type { ServedVersion } from '../versions/served-version.ts'
import { accepts } from './negotiation.ts'
import { readAsked, type Asked, type NotificationChoices } from './notification-parameters.ts'
import { header, type PlainAnswer } from './request.ts'
import type { View } from './respond.ts'

const eventStream = 'text/event-stream'
/** Records that a stream reads from the log at a time. */
const streamSlice = 100
/** How long a stream is silent before it says that it is there; below the idle time of common proxies. */
const heartbeatMs = 15_000

/**
 * GET /v1/notifications: the records of the account, oldest first. As `text/event-stream` a live
 * stream (WHATWG HTML section 9.2), one record an event, that goes on behind `Last-Event-ID`.
 */
export function notifications(store: Store, clock: Clock, choices: NotificationChoices): View {
  return {
    name: 'notifications',
    types: ['application/json', eventStream],
    get: async (request, parameters, { account }, version) => {
      const asked = readAsked(store.log, header(request, 'last-event-id'), parameters, choices)
      const accept = header(request, 'accept') ?? ''
      const streams = accept.includes(eventStream) && accepts(accept, eventStream)
      if (!streams) return page(store, account, asked, parameters, version)
      const from = asked.after ?? (await store.log.end())
      const body = stream(store, clock, account, from, asked.filter, version, request.gone?.())
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
  account: AccountId,
  { after, filter, limit }: Asked,
  parameters: readonly Parameter[],
  version: ServedVersion,
): Promise<PlainAnswer> {
  const entries = await store.log.read(account, after, filter, limit)
  // The log has no last page: behind the last record there will be more.
  const last = entries.at(-1)?.position ?? after
  const kept = parameters.filter(([name]) => name !== 'after').map(([name, value]) => [name, value])
  const link = (rel: string, place: string[][]): string => {
    const query = new URLSearchParams([...kept, ...place].map(pair)).toString()
    return `</${version.name}/notifications${query === '' ? '' : `?${query}`}>; rel="${rel}"`
  }
  const next = last === null ? [] : [link('next', [['after', last]])]
  return {
    status: 200,
    headers: { link: [link('first', []), ...next].join(', ') },
    body: `[${entries.map(({ record }) => recordDown(version, record)).join(',')}]`,
  }
}

function pair([name = '', value = '']: string[]): [string, string] {
  return [name, value]
}

/** Writes what is in the log, then what comes, until the client has gone. */
async function* stream(
  store: Store,
  clock: Clock,
  account: AccountId,
  from: Position,
  filter: LogFilter,
  version: ServedVersion,
  gone: AbortSignal | undefined,
): AsyncIterable<string> {
  const bell = doorbell(store, clock, account, gone)
  try {
    // An event without data is not handed on; it tells the client its place.
    yield `id: ${from}\n\n`
    let position = from
    while (gone?.aborted !== true) {
      const entries = await store.log.read(account, position, filter, streamSlice)
      if (entries.length > 0) yield entries.map((entry) => event(entry, version)).join('')
      position = entries.at(-1)?.position ?? position
      if (entries.length === 0 && !(await bell.rung())) yield ': still here\n\n'
    }
  } finally {
    bell.close()
  }
}

function event({ position, record }: LogEntry, version: ServedVersion): string {
  return `id: ${position}\ndata: ${recordDown(version, record)}\n\n`
}

/** Rings when the account's log grew; what rang before anyone listened is not lost. */
function doorbell(
  store: Store,
  clock: Clock,
  account: AccountId,
  gone: AbortSignal | undefined,
): { rung(): Promise<boolean>; close(): void } {
  let grown = true
  let wake: ((rang: boolean) => void) | null = null
  const ring = (): void => {
    grown = true
    wake?.(true)
  }
  const stop = store.onCommit(({ notified }) => {
    if (notified.has(account)) ring()
  })
  gone?.addEventListener('abort', ring, { once: true })
  return {
    rung: async () => {
      if (!grown) {
        let cancel = (): void => {}
        const rang = await new Promise<boolean>((resolve) => {
          wake = resolve
          cancel = clock.after(heartbeatMs, () => resolve(false))
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
