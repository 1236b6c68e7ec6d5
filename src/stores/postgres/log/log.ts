import type { Instant } from '../../../core/ports/clock.ts'
import type { LogReader } from '../../../core/ports/notification-log.ts'
import type { Row, SqlConnection } from '../../sql/connection.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import type { Slice } from '../../sql/tables/slice.ts'
import {
  countLog,
  endOfLog,
  endsOfLog,
  forgetDeadLetters,
  parsePosition,
  readLog,
} from '../../sql/log/notification-log.ts'
import { searchLog } from '../../sql/log/search-log.ts'
import { postgresDialect } from '../dialect.ts'
import { partedLog, type PartitionWork, renewParts } from '../schema/partitions.ts'
import { keepHead } from './append-log.ts'
import { isHidden, type PlantedFaults } from './planted-faults.ts'
import type { Transactions } from '../connection/transactions.ts'

/** Dependencies of the log reader. */
export interface LogParts {
  readonly transactions: Transactions
  /** Slices of the retention; each transaction covers one. */
  readonly slices: () => readonly Slice[]
  /** Removes parts of the log, and makes those of the days to come. */
  readonly renew: <T>(work: (work: PartitionWork) => Promise<T>) => Promise<T>
  readonly now: () => Instant
  readonly faults: PlantedFaults
}

/**
 * Creates the reader of the notification log. Committed entries are readable immediately, since an
 * account's entries are committed in order.
 */
export function logReader({ transactions, slices, renew, now, faults }: LogParts): LogReader {
  const read = transactions.read
  return {
    read: (...asked) =>
      read(async (connection) =>
        (await isHidden(faults, connection)) ? [] : readLog(connection, ...asked),
      ),
    count: (...asked) => read((connection) => countLog(connection, ...asked, null)),
    search: (...asked) =>
      read((connection) => searchLog(({ sql, params }) => connection.all(sql, params), ...asked)),
    end: (account) => read((connection) => endOfLog(connection, postgresDialect, account)),
    ends: (accounts) => read((connection) => endsOfLog(connection, postgresDialect, accounts)),
    parse: parsePosition,
    trim: async (before, limit) => {
      await renew((work) => renewParts(work, partedLog, before, now()))
      let left = limit
      for (const slice of slices()) {
        left -= await transactions.write((connection) => trimRest(connection, slice, before, left))
      }
      return limit - left
    },
  }
}

/** Deletes entries that are in the part of no day. */
async function trimRest(
  connection: SqlConnection,
  slice: Slice,
  before: Instant,
  limit: number,
): Promise<number> {
  await connection.run(forgetDeadLetters(slice), [before])
  const removed = await connection.all(oldest(slice), [before, limit])
  if (removed.length === 0) return 0
  // In the order of all locks on heads.
  for (const [cell, account, position] of removed.toSorted(byAccount)) {
    await connection.run(keepHead, [numberIn(cell), textIn(account), numberIn(position)])
  }
  return connection.run(remove(slice), [before, limit])
}

function byAccount([cell, account]: Row, [otherCell, other]: Row): number {
  return numberIn(cell) - numberIn(otherCell) || (textIn(account) < textIn(other) ? -1 : 1)
}

const remove = (slice: Slice): string => `
  delete from ${partedLog.rest} where ${slice.holds()} and (cell, account, position) in (
    select cell, account, position from (${entries(slice)}) as oldest)`

const oldest = (slice: Slice): string => `
  select cell, account, max(position) from (${entries(slice)}) as entries group by cell, account`

const entries = (slice: Slice): string => `
  select cell, account, position from ${partedLog.rest} where ${slice.holds()} and at < ?
  order by at, cell, account, position limit ?`
