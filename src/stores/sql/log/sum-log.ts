import type { AccountId } from '../../../core/account.ts'
import type { LogFilter, LogPosition, LogSums } from '../../../core/ports/notification-log.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../connection.ts'
import { numberIn, numberOrNullIn, textIn, textOrNullIn } from '../rows/row.ts'
import { numberOf, positionIn, wanted } from './notification-log.ts'

/** Sums up entries of an account after a position that the filter wants, by period, status and carrier. */
export async function sumLog(
  connection: SqlConnection,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
  { limit, periodMs }: { readonly limit: number; readonly periodMs: number },
): Promise<LogSums> {
  const { sql, params } = wanted(filter)
  const rows = await connection.all(
    `select at - at % ?, status, carrier, count(*), cast(sum(parts) as bigint),
        cast(sum(cost_micros) as bigint), max(position)
      from (select position, at, status, carrier, parts, cost_micros from log
        where cell = ? and account = ? and position > ? and ${sql} order by position limit ?) entries
      group by 1, 2, 3`,
    [periodMs, cellOf(account), account, numberOf(after), ...params, limit],
  )
  const ends = rows.map((row) => numberIn(row[6]))
  return {
    sums: rows.map(([periodBegin, status, carrier, entries, parts, costMicros]) => ({
      periodBegin: numberIn(periodBegin),
      status: textIn(status),
      carrier: textOrNullIn(carrier),
      entries: numberIn(entries),
      parts: numberOrNullIn(parts) ?? 0,
      costMicros: numberOrNullIn(costMicros) ?? 0,
    })),
    position: ends.length === 0 ? null : positionIn(Math.max(...ends)),
  }
}
