import type { Instant } from '../../../core/ports/clock.ts'
import type { LogReader } from '../../../core/ports/notification-log.ts'
import type { SqlConnection } from '../../sql/connection.ts'
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
import { keepHeads } from './append-log.ts'
import { isHidden, type PlantedFaults } from './planted-faults.ts'
import type { Transactions } from '../connection/transactions.ts'

/** What reading the log works with. */
export interface LogParts {
  readonly transactions: Transactions
  /** Removes parts of the log, and makes those of the days to come. */
  readonly renew: <T>(work: (work: PartitionWork) => Promise<T>) => Promise<T>
  readonly now: () => Instant
  readonly faults: PlantedFaults
}

/** The notification log. What is committed can be read: an account's entries are committed in order. */
export function logReader({ transactions, renew, now, faults }: LogParts): LogReader {
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
      return transactions.write((connection) => trimRest(connection, before, limit))
    },
  }
}

/** Deletes entries that are in the part of no day. */
async function trimRest(
  connection: SqlConnection,
  before: Instant,
  limit: number,
): Promise<number> {
  await connection.run(forgetDeadLetters, [before])
  const removed = await connection.all(oldest, [before, limit])
  if (removed.length === 0) return 0
  await connection.run(keepHeads(`(${oldest}) as removed`), [before, limit])
  return connection.run(
    `delete from ${partedLog.rest} where ctid in (select ctid from (${oldest}) r)`,
    [before, limit],
  )
}

const oldest = `
  select ctid, cell, account, position from ${partedLog.rest} where at < ?
  order by at, cell, account, position limit ?`
