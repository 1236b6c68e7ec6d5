import type { AccountId } from '../../../core/account.ts'
import type { LogSearchResult, LogSearch, LogRange } from '../../../core/ports/notification-log.ts'
import type { SqlConnection } from '../connection.ts'
import type { Fragment } from '../fragment.ts'
import { entriesIn, marks, placeOf, positionIn, wanted } from './notification-log.ts'

/** A search looks at no more entries than this before it comes back: some milliseconds. */
export const lookedAtMax = 5000

/** Looks through the beginning of a stretch of the log for entries that are sought. */
export async function searchLog(
  connection: SqlConnection,
  { account, after, end }: LogRange,
  sought: LogSearch,
  limit: number,
): Promise<LogSearchResult> {
  const begin = after === null ? 0 : placeOf(after)
  const boundary = await connection.first(aFewThousandOn, [
    account,
    begin,
    placeOf(end),
    lookedAtMax - 1,
  ])
  const last = boundary === undefined ? end : positionIn(boundary[0])
  const { sql, params } = soughtIn(account, sought, 'place')
  const rows = await connection.all(
    `select place, at, type, status, message, record from log
      where account = ? and place > ? and place <= ? and ${sql} order by place limit ?`,
    [account, begin, placeOf(last), ...params, limit],
  )
  const entries = entriesIn(account, rows)
  const full = entries.length === limit ? entries.at(-1)?.position : undefined
  return { entries, position: full ?? last }
}

/** What is sought, in SQL; `position` is the position of an entry. Few texts arise. */
export function soughtIn(account: AccountId, sought: LogSearch, position: string): Fragment {
  const { from, until, messageIds, deadLettersOf: setAsideFor } = sought
  const { sql, params } = wanted(sought)
  const ids = messageIds === null ? [] : padded(messageIds)
  const named = messageIds === null ? '' : `and message in (${marks(ids)})`
  const isSetAside =
    setAsideFor === null
      ? ''
      : `and ${position} in (select position from set_aside where account = ? and webhook = ?)`
  return {
    sql: `${sql} and at >= ? and at < ? ${named} ${isSetAside}`,
    params: [
      ...params,
      from,
      until ?? endOfTime,
      ...ids,
      ...(setAsideFor === null ? [] : [account, setAsideFor]),
    ],
  }
}

const endOfTime = Number.MAX_SAFE_INTEGER

/** Repeats the last one up to a power of two, so that few texts arise. */
function padded(ids: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(ids.length, 1)))
  return [...ids, ...Array.from({ length: length - ids.length }, () => ids.at(-1) ?? '')]
}

const aFewThousandOn = `
  select place from log where account = ? and place > ? and place <= ?
  order by place limit 1 offset ?`
