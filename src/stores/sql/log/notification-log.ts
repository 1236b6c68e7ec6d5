import type { AccountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import {
  isAlert,
  type LogEntry,
  type LogFilter,
  type NewNotification,
  type LogPosition,
} from '../../../core/ports/notification-log.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { inSets } from '../lists/in-sets.ts'
import { insertRows, type Inserts, valuesTogether } from '../rows/insert-rows.ts'
import { numberIn, numberOrNullIn, textIn } from '../rows/row.ts'

/** A position is the number of an entry, written out. */
const positionForm = /^(0|[1-9]\d{0,15})$/

/** An entry is counted in a fraction of a microsecond. */
const slicePlaces = 20_000

/** Reads a position from its text; null if it is none. */
export function parsePosition(text: string): LogPosition | null {
  return positionForm.test(text) && Number.isSafeInteger(Number(text))
    ? (text as LogPosition)
    : null
}

/** The number of the entry that a position stands behind. */
export function placeOf(position: LogPosition): number {
  return Number(position)
}

/** The position that a column holds. */
export function positionIn(value: unknown): LogPosition {
  return (typeof value === 'string' ? value : String(numberIn(value))) as LogPosition
}

/** What is to be appended to the log of an account. */
export interface Notified {
  readonly account: AccountId
  readonly notification: NewNotification
}

/** Appends entries to the log of an account, in their order. */
export async function append(
  connection: SqlConnection,
  account: AccountId,
  notifications: readonly NewNotification[],
): Promise<void> {
  const rows = notifications.map(({ at, type, status, messageId, record }): readonly SqlValue[] => [
    account,
    at,
    type,
    status,
    messageId,
    record,
  ])
  await insertRows(connection, inserts, rows)
}

/** The entries of an account behind a position that the filter wants. */
export async function readLog(
  connection: SqlConnection,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
  limit: number,
): Promise<readonly LogEntry[]> {
  const { sql, params } = wanted(filter)
  const rows = await connection.all(
    `select place, at, type, status, message, record from log
      where account = ? and place > ? and ${sql} order by place limit ?`,
    [account, after === null ? 0 : placeOf(after), ...params, limit],
  )
  return entriesIn(account, rows)
}

/**
 * How many entries of an account behind a position the filter wants. They are counted in slices,
 * with a pause between two where one is given.
 */
export async function countLog(
  connection: SqlConnection,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
  pause: (() => Promise<void>) | null,
): Promise<number> {
  const { sql, params } = wanted(filter)
  const counted = `select count(*) from log where account = ? and place >= ? and place < ? and ${sql}`
  const from = after === null ? 0 : placeOf(after)
  const ends = await connection.first(endsOfAccount, [account, from, account, from])
  const first = numberOrNullIn(ends?.[0] ?? null)
  const last = numberOrNullIn(ends?.[1] ?? null)
  if (first === null || last === null) return 0

  let sum = 0
  for (let begin = first; begin <= last; begin += slicePlaces) {
    if (begin > first) await pause?.()
    const row = await connection.first(counted, [account, begin, begin + slicePlaces, ...params])
    sum += row === undefined ? 0 : numberIn(row[0])
  }
  return sum
}

/** The place behind the last entry. */
export async function endOfLog(connection: SqlConnection, dialect: Dialect): Promise<LogPosition> {
  const row = await connection.first(`select ${dialect.position.end} as place`, [])
  return row === undefined ? ('0' as LogPosition) : positionIn(row[0])
}

/** Removes entries from the beginning of the log for as long as they are older than `before`. */
export async function trimLog(
  connection: SqlConnection,
  before: Instant,
  limit: number,
): Promise<number> {
  await connection.run(forgetSetAside, [before])
  const oldest = await connection.all(beginning, [limit])
  const younger = oldest.findIndex(([, at]) => numberIn(at) >= before)
  const last = oldest[(younger === -1 ? oldest.length : younger) - 1]
  return last === undefined ? 0 : connection.run(removeUpTo, [numberIn(last[0])])
}

/** The same as `wants` of the port, in SQL. The log is asked for few filters, so few texts arise. */
export function wanted(filter: LogFilter): { sql: string; params: readonly SqlValue[] } {
  const { types, statuses, notAbout } = filter
  const narrowed = notAbout === undefined ? [] : types.filter(isAlert)
  const others = types.filter((type) => type !== 'SENT' && !narrowed.some((one) => one === type))
  const sent = types.includes('SENT') ? statuses : []
  const pieces = [
    ...(others.length === 0 ? [] : [`type in (${marks(others)})`]),
    ...(sent.length === 0 ? [] : [`(type = 'SENT' and status in (${marks(sent)}))`]),
    ...(narrowed.length === 0 ? [] : [`(type in (${marks(narrowed)}) and status <> ?)`]),
  ]
  // Not every database knows a list of nothing.
  const sql = pieces.length === 0 ? '1 = 0' : `(${pieces.join(' or ')})`
  const about = notAbout === undefined || narrowed.length === 0 ? [] : [notAbout]
  return { sql, params: [...others, ...sent, ...narrowed, ...about] }
}

/** A place for each value in a list. */
export function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ')
}

/** The entries of an account as they are read: the place, the time, the two that filters go by, the record. */
export function entriesIn(account: AccountId, rows: readonly Row[]): readonly LogEntry[] {
  return rows.map(([place, at, type, status, message, record]) => ({
    account,
    position: positionIn(place),
    at: numberIn(at),
    type: textIn(type),
    status: textIn(status),
    messageId: textIn(message),
    record: textIn(record),
  }))
}

const insertInto = 'insert into log (account, at, type, status, message, record) values'
const marksOfEntry = '(?, ?, ?, ?, ?, ?)'
const inserts: Inserts = {
  one: `${inSets} ${insertInto} ${marksOfEntry}`,
  many: `${insertInto} ${valuesTogether(marksOfEntry)}`,
}
const entryOfAccount = 'select place from log where account = ? and place > ? order by place'
const endsOfAccount = `
  select (${entryOfAccount} limit 1), (${entryOfAccount} desc limit 1)`
const beginning = 'select place, at from log order by place limit ?'
/** What was set aside is known for as long as the log keeps it. */
export const forgetSetAside = 'delete from set_aside where at < ?'
const removeUpTo = 'delete from log where place <= ?'
