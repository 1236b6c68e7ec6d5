import type { AccountId } from '../../core/account.ts'
import type { LogEntry, LogFilter, LogPosition } from '../../core/ports/notification-log.ts'
import type { Store } from '../../core/ports/store.ts'
import { invalidParameters, type InputError } from '../../core/problem.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { recordDown, type ServedVersion } from '../../versions/versions.ts'
import type { PlainResponse } from '../server/request.ts'
import type { CursorCodec } from './cursor-codec.ts'

/** Types and statuses that requests can select, and the defaults. */
export interface NotificationChoices {
  readonly types: readonly string[]
  readonly typesDefault: readonly string[]
  readonly statuses: readonly string[]
  readonly statusesDefault: readonly string[]
}

/** A parsed request for notifications. */
export interface NotificationRequest {
  readonly after: LogPosition | null
  readonly filter: LogFilter
  readonly limit: number
}

const pageSizeDefault = 50
const pageSizeMax = 1000

/** Reads what a request asks for of the log, or throws a `Problem` that lists every fault. */
export function readNotificationRequest(
  codec: CursorCodec,
  lastEventId: string | undefined,
  parameters: readonly FilterParameter[],
  choices: NotificationChoices,
): NotificationRequest {
  const errors: InputError[] = []
  const values = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    if (!['after', 'pageSize', 'types', 'statuses'].includes(name)) {
      errors.push({
        parameter: name,
        detail: 'is not a parameter here; use after, pageSize, types or statuses',
      })
    }
    values.set(name, [...(values.get(name) ?? []), ...value.split(',')])
  }
  const cursor = lastEventId ?? values.get('after')?.join(',')
  const after = cursor === undefined ? null : codec.decode(cursor)
  if (cursor !== undefined && after === null) {
    errors.push({ parameter: 'after', detail: 'must be a cursor from this service, or 0' })
  }
  const size = values.get('pageSize')?.join(',')
  const limit = size === undefined ? pageSizeDefault : Number(size)
  if (!Number.isInteger(limit) || limit < 1 || limit > pageSizeMax) {
    errors.push({
      parameter: 'pageSize',
      detail: `must be a whole number from 1 to ${pageSizeMax}`,
    })
  }
  const types = readNames('types', values, choices.types, choices.typesDefault, errors)
  const statuses = readNames('statuses', values, choices.statuses, choices.statusesDefault, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return { after, filter: { types, statuses }, limit }
}

function readNames(
  parameter: string,
  values: ReadonlyMap<string, readonly string[]>,
  known: readonly string[],
  byDefault: readonly string[],
  errors: InputError[],
): readonly string[] {
  const given = values.get(parameter)
  if (given === undefined) return byDefault
  if (given.every((name) => known.includes(name))) return given
  errors.push({ parameter, detail: `must be one of ${known.join(', ')}` })
  return []
}

/** Records that a page reads from the log the first time; and characters at which it is full. */
const [firstOfPage, pageCharacters] = [64, 4_194_304]

/** Responds with the records after a cursor, oldest first. */
export async function notificationPage(
  store: Store,
  codec: CursorCodec,
  account: AccountId,
  query: NotificationRequest,
  parameters: readonly FilterParameter[],
  version: ServedVersion,
): Promise<PlainResponse> {
  const { after, filter, limit } = query
  const end = await store.log.end(account)
  const read = await readPage(store, account, after, filter, limit)
  const { entries } = read
  const next = await nextCursor(store, codec, account, query, read, end)
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

/** Records of a page, and whether more may follow. */
interface LogPage {
  readonly entries: readonly LogEntry[]
  readonly isFull: boolean
}

/** Reads a page, which is full before its limit if its records are long. */
async function readPage(
  store: Store,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
  limit: number,
): Promise<LogPage> {
  const entries: LogEntry[] = []
  let [characters, batch] = [0, firstOfPage]
  while (entries.length < limit && characters < pageCharacters) {
    const asked = Math.min(batch, limit - entries.length)
    const place = entries.at(-1)?.position ?? after
    const found = await store.log.read(account, place, filter, asked)
    entries.push(...found)
    if (found.length < asked) return { entries, isFull: false }
    const added = charactersOf(found)
    characters += added
    batch = added * 2 > pageCharacters - characters ? batch : 2 * batch
  }
  return { entries, isFull: true }
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
  { after, filter }: NotificationRequest,
  { entries, isFull }: LogPage,
  end: LogPosition,
): Promise<string> {
  const last = entries.at(-1)
  if (last !== undefined && isFull) return codec.encode(last.position)
  const [newer] = await store.log.read(account, end, filter, 1)
  if (newer === undefined) return codec.encodeSalted(end)
  if (last !== undefined) return codec.encode(last.position)
  return after === null ? '0' : codec.encodeSalted(after)
}

function pair([name = '', value = '']: string[]): [string, string] {
  return [name, value]
}

/** Returns the characters of the records of entries. */
export function charactersOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { record }) => sum + record.length, 0)
}
