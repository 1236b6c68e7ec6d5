import type { AccountId } from '../core/account.ts'
import type { Clock } from '../core/clock.ts'
import type { LogEntry, LogFilter, Position } from '../core/notification-log.ts'
import { invalidParameters, type InputError } from '../core/problem.ts'
import type { Store } from '../core/store.ts'
import type { Parameter } from '../engine/query/filter-parameters.ts'
import { accepts } from './negotiation.ts'
import { header, type PlainAnswer, type PlainRequest } from './request.ts'
import type { View } from './respond.ts'

/** What can be asked for of the log: all types and statuses there are, and those that come unasked. */
export interface NotificationChoices {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
  readonly statusesDefault: readonly string[]
}

const eventStream = 'text/event-stream'
const pageSizeDefault = 50
const pageSizeMax = 1000
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
    get: async (request, parameters, { account }) => {
      const asked = readAsked(store, request, parameters, choices)
      const accept = header(request, 'accept') ?? ''
      const streams = accept.includes(eventStream) && accepts(accept, eventStream)
      if (!streams) return page(store, account, asked, parameters)
      const from = asked.after ?? (await store.log.end())
      const body = stream(store, clock, account, from, asked.filter, request.gone)
      return {
        status: 200,
        headers: { 'content-type': eventStream, 'cache-control': 'no-store' },
        body,
      }
    },
  }
}

interface Asked {
  readonly after: Position | null
  readonly filter: LogFilter
  readonly limit: number
}

async function page(
  store: Store,
  account: AccountId,
  { after, filter, limit }: Asked,
  parameters: readonly Parameter[],
): Promise<PlainAnswer> {
  const entries = await store.log.read(account, after, filter, limit)
  // The log has no last page: behind the last record there will be more.
  const last = entries.at(-1)?.position ?? after
  const kept = parameters.filter(([name]) => name !== 'after').map(([name, value]) => [name, value])
  const link = (rel: string, place: string[][]): string =>
    `</v1/notifications?${new URLSearchParams([...kept, ...place].map(pair)).toString()}>; rel="${rel}"`
  const next = last === null ? [] : [link('next', [['after', last]])]
  return {
    status: 200,
    headers: { link: [link('first', []), ...next].join(', ') },
    body: `[${entries.map(({ record }) => record).join(',')}]`,
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
  gone: AbortSignal | undefined,
): AsyncIterable<string> {
  const bell = doorbell(store, clock, account, gone)
  try {
    // An event without data is not handed on; it tells the client its place.
    yield `id: ${from}\n\n`
    let position = from
    while (gone?.aborted !== true) {
      const entries = await store.log.read(account, position, filter, streamSlice)
      if (entries.length > 0) yield entries.map(event).join('')
      position = entries.at(-1)?.position ?? position
      if (entries.length === 0 && !(await bell.rung())) yield ': still here\n\n'
    }
  } finally {
    bell.close()
  }
}

function event({ position, record }: LogEntry): string {
  return `id: ${position}\ndata: ${record}\n\n`
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

function readAsked(
  store: Store,
  request: PlainRequest,
  parameters: readonly Parameter[],
  choices: NotificationChoices,
): Asked {
  const errors: InputError[] = []
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (!['after', 'pageSize', 'types', 'statuses'].includes(name)) {
      errors.push({
        parameter: name,
        detail: 'is not offered here: after, pageSize, types and statuses are',
      })
    }
    values.set(name, [...(values.get(name) ?? []), ...value.split(',')])
  }
  const place = header(request, 'last-event-id') ?? values.get('after')?.join(',')
  const after = place === undefined ? null : store.log.parse(place)
  if (place !== undefined && after === null) {
    errors.push({ parameter: 'after', detail: 'must be a place in the log that this service gave' })
  }
  const size = values.get('pageSize')?.join(',')
  const limit = size === undefined ? pageSizeDefault : Number(size)
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    errors.push({
      parameter: 'pageSize',
      detail: `must be a whole number from 1 to ${pageSizeMax}`,
    })
  }
  const types = readNames('types', values, choices.types, choices.types, errors)
  const statuses = readNames('statuses', values, choices.statuses, choices.statusesDefault, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return { after, filter: { types, statuses }, limit }
}

function readNames(
  parameter: string,
  values: ReadonlyMap<string, readonly string[]>,
  known: readonly string[],
  unasked: readonly string[],
  errors: InputError[],
): readonly string[] {
  const given = values.get(parameter)
  if (given === undefined) return unasked
  if (given.every((name) => known.includes(name))) return given
  errors.push({ parameter, detail: `must be one of ${known.join(', ')}` })
  return []
}
