import type { LogPosition } from '../../../core/ports/notification-log.ts'

/**
 * A place in the notification log: the number of the transaction, then the number of the entry. Both
 * are given before the commit, so neither is in the order of the commits. But a transaction that is
 * not over yet has a greater number than any below `pg_snapshot_xmin`: whoever reads no further than
 * there, in the order of the two, never meets an entry behind his place later.
 */
export interface StoredLogPosition {
  readonly transaction: string
  readonly entry: string
}

/** Where the log begins. */
export const logBegin = '0:0' as LogPosition

const form = /^(0|[1-9]\d{0,15}):(0|[1-9]\d{0,17})$/

/** A place in the log of SQLite, which stands behind the transaction 0 where a store was moved. */
const movedForm = /^(0|[1-9]\d{0,15})$/

/**
 * Reads a position from its text, or `0` for the beginning; null if it is none. One that a store of
 * SQLite gave out, before it was moved here, is as good.
 */
export function parsePosition(text: string): LogPosition | null {
  if (movedForm.test(text)) return `0:${text}` as LogPosition
  return form.test(text) ? (text as LogPosition) : null
}

/** The two numbers of a position. */
export function logPlace(position: LogPosition): StoredLogPosition {
  const [transaction = '0', entry = '0'] = position.split(':')
  return { transaction, entry }
}

/** The position of an entry, as an expression. */
export const position = "xid::text || ':' || place::text"

/** The first number whose transaction may not be over. */
export function settledBelow(logOffset: number): string {
  return `(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${logOffset})`
}

/** The number of the transaction that asks. */
export function ownTransaction(logOffset: number): string {
  return `(pg_current_xact_id()::text::bigint + ${logOffset})`
}

const own = 'pg_current_xact_id_if_assigned()::text::bigint'
const rounds = '4294967295'

/**
 * Whether a row was written by a transaction with a greater number than the one that asks, which got
 * its own before that one committed. What it appends to the log would stand before what it follows
 * from: so it is run again, under a greater number. Rows know the lower 32 bits of numbers.
 */
export const writtenLater = `
  (pg_current_xact_id_if_assigned() is not null
    and ((xmin::text::bigint - ${own}) & ${rounds})
      between 1 and pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ${own})`

/** The place of the last entry that can be read, or could before all were removed, as an expression. */
export function lastPlace(logOffset: number): string {
  return `coalesce(
    (select ${position} from log
      where xid < ${settledBelow(logOffset)} order by xid desc, place desc limit 1),
    (select value from meta where name = 'log_end'), '${logBegin}')`
}
