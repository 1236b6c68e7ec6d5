import type { NewNotification } from '../../../core/ports/notification-log.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection, SqlParameter, SqlValue } from '../../sql/connection.ts'
import { packedText } from '../../packed-text.ts'
import { binaryArray } from '../connection/binary-array.ts'
import { groupByAccount, type Notified } from '../../sql/log/notification-log.ts'

/**
 * Appends entries to the logs of their accounts; the last statements of a transaction. The first one locks
 * the heads of the accounts in their order, the second one sees what the holder before has committed and
 * numbers on. A head is locked and not updated, so that an old snapshot keeps no versions of it.
 */
export async function appendLog(
  connection: SqlConnection,
  notified: readonly Notified[],
): Promise<void> {
  const groups = groupByAccount(notified)
  const accounts = groups.map(([account]) => account)
  const heads = [binaryArray('smallint', accounts.map(cellOf)), binaryArray('text', accounts)]
  const entries = groups.flatMap(([, own], group) =>
    own.map((notification, nth) => ({ group: group + 1, nth: nth + 1, notification })),
  )
  const sent = [connection.run(lockHeads, heads)]
  for (let from = 0; from < entries.length; from += together) {
    const some = entries.slice(from, from + together)
    const params = [...heads, ...columnsOf(some)]
    sent.push(connection.run(append, params))
  }
  await Promise.all(sent)
}

/** An entry with the number of its account, and its own within the transaction. */
interface NumberedEntry {
  readonly group: number
  readonly nth: number
  readonly notification: NewNotification
}

/** Entries of one statement at most. */
const together = 1000

function columnsOf(entries: readonly NumberedEntry[]): readonly SqlParameter[] {
  const column = (type: string, valueOf: (entry: NumberedEntry) => SqlValue): SqlParameter =>
    binaryArray(type, entries.map(valueOf))
  // What this transaction appended before counts among the entries that there are.
  const before = new Map<number, number>()
  for (const { group, nth } of entries) {
    if (!before.has(group)) before.set(group, nth - 1)
  }
  return [
    column('integer', ({ group }) => group),
    column('bigint', ({ group, nth }) => nth - (before.get(group) ?? 0)),
    column('bigint', ({ notification }) => notification.at),
    column('text', ({ notification }) => notification.type),
    column('text', ({ notification }) => notification.status),
    column('text', ({ notification }) => notification.messageId),
    column('text', ({ notification }) => packedText(notification.messageId, notification.record)),
    column('text', ({ notification }) => notification.correlation ?? null),
    column('text', ({ notification }) => notification.carrier ?? null),
    column('smallint', ({ notification }) => notification.parts ?? null),
    column('bigint', ({ notification }) => notification.costMicros ?? null),
  ]
}

/** The number of the last entry of an account, as an expression: heads know of removed entries alone. */
export function logEnd(cell: string, account: string): string {
  return `greatest(
    (select h.position from log_heads h where h.cell = ${cell} and h.account = ${account}),
    (select l.position from log l where l.cell = ${cell} and l.account = ${account}
      order by l.position desc limit 1), 0)`
}

/** An upsert whose condition is false locks a row that exists, and writes nothing. */
const lockHeads = `
  insert into log_heads (cell, account, position)
  select cell, account, 0 from unnest(?::smallint[], ?::text[]) as a (cell, account)
  order by cell, account collate "C"
  on conflict (cell, account) do update set position = log_heads.position where false`

const append = `
  with heads as materialized (
    select a.nth, a.cell, a.account, ${logEnd('a.cell', 'a.account')} as position
    from unnest(?::smallint[], ?::text[]) with ordinality as a (cell, account, nth))
  insert into log (
    cell, account, position, at, type, status, message, record, correlation, carrier, parts, cost_micros)
  select h.cell, h.account, h.position + e.nth, e.at, e.type, e.status, e.message, e.record,
    e.correlation, e.carrier, e.parts, e.cost_micros
  from unnest(?::int[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[],
      ?::text[], ?::text[], ?::smallint[], ?::bigint[]) as e (
      head, nth, at, type, status, message, record, correlation, carrier, parts, cost_micros)
  join heads h on h.nth = e.head`

/** Keeps the number of an account's last entry that is to be removed. */
export const keepHead = `
  insert into log_heads (cell, account, position) values (?, ?, ?)
  on conflict (cell, account) do update
    set position = greatest(log_heads.position, excluded.position)`

/** Keeps the numbers of entries that are to be removed, in the order of all locks on heads. */
export function keepHeads(removed: string): string {
  return `
    insert into log_heads (cell, account, position)
    select cell, account, max(position) from ${removed} group by cell, account order by cell, account
    on conflict (cell, account) do update
      set position = greatest(log_heads.position, excluded.position)`
}
