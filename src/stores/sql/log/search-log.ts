import type { AccountId } from '../../../core/account.ts'
import type {
  LogFilter,
  LogPosition,
  LogRange,
  LogSearch,
  LogSearchResult,
  LogSums,
} from '../../../core/ports/notification-log.ts'
import { cellOf } from '../../cell.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { Row, SqlConnection } from '../connection.ts'
import type { Fragment } from '../fragment.ts'
import { numberIn, numberOrNullIn, textIn, textOrNullIn } from '../rows/row.ts'
import { entriesIn, entryColumns, marks, numberOf, positionIn, wanted } from './notification-log.ts'

/** Maximum number of entries that one search examines: some milliseconds. */
const lookedAtMax = 5000

/** Runs a statement that only reads, in any snapshot: entries never change. */
export type RunLogSearch = (statement: Fragment) => MaybePromise<readonly Row[]>

/** Counts the entries of an account after a position that the filter wants. */
export async function countLog(
  run: RunLogSearch,
  account: AccountId,
  after: LogPosition | null,
  filter: LogFilter,
): Promise<number> {
  const { sql, params } = wanted(filter)
  const [row] = await run({
    sql: `select count(*) from log where cell = ? and account = ? and position > ? and ${sql}`,
    params: [cellOf(account), account, numberOf(after), ...params],
  })
  return numberIn(row?.[0] ?? 0)
}

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

/** Looks through the beginning of a range of the log for entries that are sought. */
export async function searchLog(
  run: RunLogSearch,
  { account, after, end }: LogRange,
  sought: LogSearch,
  limit: number,
): Promise<LogSearchResult> {
  const begin = [cellOf(account), account, numberOf(after)]
  const [boundary] = await run({
    sql: aFewThousandOn,
    params: [...begin, numberOf(end), lookedAtMax - 1],
  })
  const last = boundary === undefined ? end : positionIn(boundary[0])
  const { sql, params } = soughtIn(account, sought)
  const rows = await run({
    sql: `select ${entryColumns} from log
      where cell = ? and account = ? and position > ? and position <= ? and ${sql}
      order by position limit ?`,
    params: [...begin, numberOf(last), ...params, limit],
  })
  const entries = entriesIn(account, rows)
  const full = entries.length === limit ? entries.at(-1)?.position : undefined
  return { entries, position: full ?? last }
}

/** Returns the condition of a search in SQL. There are few distinct texts. */
function soughtIn(account: AccountId, sought: LogSearch): Fragment {
  const { from, until, messageIds, deadLettersOf: setAsideFor } = sought
  const { sql, params } = wanted(sought)
  const ids = messageIds === null ? [] : padded(messageIds)
  const named = messageIds === null ? '' : `and message in (${marks(ids)})`
  const isDead = setAsideFor === null ? '' : `and position in (${deadLetters})`
  return {
    sql: `${sql} and at >= ? and at < ? ${named} ${isDead}`,
    params: [
      ...params,
      from,
      until ?? endOfTime,
      ...ids,
      ...(setAsideFor === null ? [] : [cellOf(account), account, setAsideFor]),
    ],
  }
}

const deadLetters =
  'select position from dead_letters where cell = ? and account = ? and webhook = ?'

const endOfTime = Number.MAX_SAFE_INTEGER

/** Repeats the last one up to a power of two, so that few texts arise. */
function padded(ids: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(ids.length, 1)))
  return [...ids, ...Array.from({ length: length - ids.length }, () => ids.at(-1) ?? '')]
}

const aFewThousandOn = `
  select position from log where cell = ? and account = ? and position > ? and position <= ?
  order by position limit 1 offset ?`
