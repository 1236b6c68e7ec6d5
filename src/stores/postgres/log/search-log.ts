import type { LogSearchResult, LogSearch, LogRange } from '../../../core/ports/notification-log.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { entriesIn, positionIn } from '../../sql/log/notification-log.ts'
import { lookedAtMax, soughtIn } from '../../sql/log/search-log.ts'
import { logBegin, logPlace, position } from './stored-log-position.ts'

/**
 * Looks through the beginning of a stretch of the log for entries that are sought, no further than
 * all transactions are over: `settled` is the first number of which that is not known.
 */
export async function searchLog(
  connection: SqlConnection,
  settled: string,
  { account, after, end }: LogRange,
  sought: LogSearch,
  limit: number,
): Promise<LogSearchResult> {
  const begin = logPlace(after ?? logBegin)
  const within = [account, begin.transaction, begin.entry]
  const stretch = `account = ? and (xid, place) > (?::bigint, ?::bigint)
    and (xid, place) <= (?::bigint, ?::bigint) and xid < ${settled}`
  const whole = logPlace(end)
  const boundary = await connection.first(
    `select ${position} from log where ${stretch} order by xid, place limit 1 offset ?`,
    [...within, whole.transaction, whole.entry, lookedAtMax - 1],
  )
  const last = boundary === undefined ? end : positionIn(boundary[0])
  const { transaction, entry } = logPlace(last)
  const { sql, params } = soughtIn(account, sought, position)
  const rows = await connection.all(
    `select ${position}, at, type, status, message, record from log
      where ${stretch} and ${sql} order by xid, place limit ?`,
    [...within, transaction, entry, ...params, limit],
  )
  const entries = entriesIn(account, rows)
  const full = entries.length === limit ? entries.at(-1)?.position : undefined
  return { entries, position: full ?? last }
}
