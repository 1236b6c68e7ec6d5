import type { AccountId } from '../../../core/account.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import {
  isAlert,
  type LogEntry,
  type LogFilter,
  type NewNotification,
  type LogPosition,
} from '../../../core/ports/notification-log.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, Row, SqlValue } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { insertRows, type Inserts, inSets, valuesTogether } from '../fragment.ts'
import { everyCell, type Slice } from '../tables/slice.ts'
import { numberIn, textIn } from '../rows/row.ts'
import { packedText, unpackedText } from '../../packed-text.ts'

/** The number of the entry at a position; 0 before the first one. */
export function numberOf(position: LogPosition | null): number {
  return position === null ? 0 : Number(position)
}

/** The position that a column holds. */
export function positionIn(value: unknown): LogPosition {
  return String(numberIn(value)) as LogPosition
}

/** An entry to be appended to the log of an account. */
export interface Notified {
  readonly account: AccountId
  readonly notification: NewNotification
  /** Grows from call to call within the process. */
  readonly call: number
}

/** Groups entries by account, in the order of cell and account: the order of all locks on heads. */
export function groupByAccount(
  notified: readonly Notified[],
): readonly (readonly [AccountId, readonly NewNotification[]])[] {
  const groups = new Map<AccountId, NewNotification[]>()
  for (const { account, notification } of notified) {
    const group = groups.get(account)
    if (group === undefined) groups.set(account, [notification])
    else group.push(notification)
  }
  return [...groups].toSorted(([a], [b]) => cellOf(a) - cellOf(b) || (a < b ? -1 : 1))
}

/** Returns the entries of an account after a position that the filter wants. */
export async function readLog(
  connection: SqlConnection,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
  limit: number,
): Promise<readonly LogEntry[]> {
  const { sql, params } = wanted(filter)
  const rows = await connection.all(
    `select ${entryColumns} from log
      where cell = ? and account = ? and position > ? and ${sql} order by position limit ?`,
    [cellOf(account), account, numberOf(after), ...params, limit],
  )
  return entriesIn(account, rows)
}

/** Returns the position of the last entry of an account, be it removed by now. */
export async function endOfLog(
  connection: SqlConnection,
  dialect: Dialect,
  account: AccountId,
): Promise<LogPosition> {
  const key = [cellOf(account), account]
  const row = await connection.first(endOfAccount(dialect), [...key, ...key])
  return row === undefined ? ('0' as LogPosition) : positionIn(row[0])
}

/** Returns the same for several accounts. */
export async function endsOfLog(
  connection: SqlConnection,
  dialect: Dialect,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, LogPosition>> {
  const ends = await Promise.all(accounts.map((account) => endOfLog(connection, dialect, account)))
  return new Map(accounts.map((account, at) => [account, ends[at] ?? ('0' as LogPosition)]))
}

/** Appends entries where one transaction writes at a time; the last statements of a transaction. */
export async function appendEntries(
  connection: SqlConnection,
  dialect: Dialect,
  notified: readonly Notified[],
): Promise<void> {
  const groups = groupByAccount(notified)
  const ends = await endsOfLog(
    connection,
    dialect,
    groups.map(([account]) => account),
  )
  const rows = groups.flatMap(([account, own]) => {
    const end = numberOf(ends.get(account) ?? null)
    return own.map((entry, nth): readonly SqlValue[] => [
      cellOf(account),
      account,
      end + nth + 1,
      entry.at,
      entry.type,
      entry.status,
      entry.messageId,
      dialect.copiesRows ? packedText(entry.messageId, entry.record) : entry.record,
      entry.correlation ?? null,
      entry.carrier ?? null,
      entry.parts ?? null,
      entry.costMicros ?? null,
    ])
  })
  const { one, many } = inserts
  await insertRows(connection, { one, many: dialect.gathers ? null : many }, rows)
}

/**
 * Deletes entries from the beginning of each account's log while they are older than `before`, at most
 * `limit` in all, and keeps their numbers.
 */
export async function trimLog(
  connection: SqlConnection,
  before: Instant,
  limit: number,
): Promise<number> {
  for (const slice of everyCell) await connection.run(forgetDeadLetters(slice), [before])
  let removed = 0
  let account: readonly SqlValue[] = [-1, '']
  while (removed < limit) {
    const next = await connection.first(nextAccount, account)
    if (next === undefined) break
    account = [numberIn(next[0]), textIn(next[1])]
    const oldest = await connection.all(beginning, [...account, limit - removed])
    const younger = oldest.findIndex(([, at]) => numberIn(at) >= before)
    const last = oldest[(younger === -1 ? oldest.length : younger) - 1]
    if (last === undefined) continue
    const upTo = [...account, numberIn(last[0])]
    await connection.run(keepHead, upTo)
    removed += await connection.run(removeUpTo, upTo)
  }
  return removed
}

/** Returns `wants` of the port in SQL. The log is asked for few filters, so few texts arise. */
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

/** Returns a mark for each value of a list. */
export function marks(values: readonly string[]): string {
  return values.map(() => '?').join(', ')
}

/** The columns of an entry as `entriesIn` reads them. */
export const entryColumns = 'position, at, type, status, message, record, correlation, carrier'

/** Reads entries of an account from rows with `entryColumns`. */
export function entriesIn(account: AccountId, rows: readonly Row[]): readonly LogEntry[] {
  return rows.map(([position, at, type, status, message, record, correlation, carrier]) => ({
    account,
    position: positionIn(position),
    at: numberIn(at),
    type: textIn(type),
    status: textIn(status),
    messageId: textIn(message),
    record: unpackedText(textIn(message), textIn(record)),
    ...(typeof correlation === 'string' ? { correlation } : {}),
    ...(typeof carrier === 'string' ? { carrier } : {}),
  }))
}

const endOfAccount = ({ logEnd }: Dialect): string => `${inSets}
  select ${logEnd('?', '?')}`
/** Dead letters are known for as long as the log has their entries. */
export const forgetDeadLetters = (slice: Slice): string =>
  `delete from dead_letters where ${slice.holds()} and at < ?`
const nextAccount = `
  select cell, account from log where (cell, account) > (?, ?) order by cell, account limit 1`
const beginning = `
  select position, at from log where cell = ? and account = ? order by position limit ?`
/** Stores the number of the last entry of an account, whose numbers never come twice. */
export const keepHead = `
  insert into log_heads (cell, account, position) values (?, ?, ?)
  on conflict (cell, account) do update set position = excluded.position`
const removeUpTo = 'delete from log where cell = ? and account = ? and position <= ?'
const insertInto = `
  insert into log (
    cell, account, position, at, type, status, message, record, correlation, carrier, parts, cost_micros) values`
const marksOfEntry = '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
const inserts: Inserts = {
  one: `${inSets} ${insertInto} ${marksOfEntry}`,
  many: `${insertInto} ${valuesTogether(marksOfEntry)}`,
}
