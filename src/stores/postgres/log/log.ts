import { type AccountId, everyAccount } from '../../../core/account.ts'
import type { LogFilter, LogReader, LogPosition } from '../../../core/ports/notification-log.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import type { SqlConnection, SqlValue } from '../../sql/connection.ts'
import { entriesIn, forgetSetAside, positionIn, wanted } from '../../sql/log/notification-log.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import {
  lastPlace,
  logBegin,
  logPlace,
  parsePosition,
  position,
  settledBelow,
} from './stored-log-position.ts'
import { searchLog } from './search-log.ts'
import { partedLog, renewParts } from '../schema/partitions.ts'
import type { Transactions } from '../connection/transactions.ts'

/** What reading the log works with. */
export interface LogParts {
  readonly transactions: Transactions
  readonly offset: number
  /** Removes parts of the log, and makes those of the days to come. */
  readonly renew: <T>(work: (connection: SqlConnection) => Promise<T>) => Promise<T>
  readonly now: () => Instant
}

/** The notification log, read in the order of the commits: no further than all transactions are over. */
export function logReader({ transactions, offset, renew, now }: LogParts): LogReader {
  const settled = settledBelow(offset)
  const page = `
    select ${position}, at, type, status, message, record from log
    where account = ? and (xid, place) > (?::bigint, ?::bigint) and xid < ${settled} and `
  const counted = `
    select count(*) from log
    where account = ? and (xid, place) > (?::bigint, ?::bigint) and xid < ${settled} and `
  const oldest = `
    select xid, place, at from ${partedLog.rest} where xid < ${settled} order by xid, place limit ?`

  return {
    read: (account, after, filter, limit) =>
      transactions.read(async (connection) => {
        const { sql, params } = wanted(filter)
        const place = placeParams(account, after)
        const text = `${page}${sql} order by xid, place limit ?`
        const rows = await connection.within(account).all(text, [...place, ...params, limit])
        return entriesIn(account, rows)
      }),
    count: (account: AccountId, after: LogPosition | null, filter: LogFilter) =>
      transactions.read(async (connection) => {
        const { sql, params } = wanted(filter)
        const place = placeParams(account, after)
        const row = await connection
          .within(account)
          .first(`${counted}${sql}`, [...place, ...params])
        return row === undefined ? 0 : numberIn(row[0])
      }),
    search: (stretch, sought, limit) =>
      transactions.read((connection) =>
        searchLog(connection.within(stretch.account), settled, stretch, sought, limit),
      ),
    end: () =>
      transactions.read(async (connection) => {
        const row = await connection.within(everyAccount).first(`select ${lastPlace(offset)}`, [])
        return row === undefined ? logBegin : positionIn(row[0])
      }),
    parse: parsePosition,
    trim: async (before, limit) => {
      await keepEnd(transactions, offset)
      await renew((connection) => renewParts(connection, partedLog, before, now()))
      return transactions.write((connection) =>
        trimRest(connection.within(everyAccount), oldest, before, limit),
      )
    },
  }
}

/** Removes entries that stand in no day's part, from the oldest on. */
async function trimRest(
  connection: SqlConnection,
  oldest: string,
  before: Instant,
  limit: number,
): Promise<number> {
  await connection.run(forgetSetAside, [before])
  const rows = await connection.all(oldest, [limit])
  const younger = rows.findIndex(([, , at]) => numberIn(at) >= before)
  const last = rows[(younger === -1 ? rows.length : younger) - 1]
  if (last === undefined) return 0
  return connection.run(
    `delete from ${partedLog.rest} where (xid, place) <= (?::bigint, ?::bigint)`,
    [textIn(last[0]), textIn(last[1])],
  )
}

/** Keeps where the log ended: it may be empty afterwards. */
async function keepEnd(transactions: Transactions, offset: number): Promise<void> {
  const keep = `
    insert into meta (name, value) values ('log_end', ${lastPlace(offset)})
    on conflict (name) do update set value = excluded.value`
  await transactions.write(async (connection) => {
    await connection.within(everyAccount).run(keep, [])
  })
}

function placeParams(account: AccountId, after: LogPosition | null): readonly SqlValue[] {
  const { transaction, entry } = logPlace(after ?? logBegin)
  return [account, transaction, entry]
}
