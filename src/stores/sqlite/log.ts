import type { LogReader } from '../../core/ports/notification-log.ts'
import type { Fragment } from '../sql/fragment.ts'
import type { QueryExecutor } from '../sql/lists/bounded-reads.ts'
import { countLog, endOfLog, endsOfLog, readLog } from '../sql/log/notification-log.ts'
import { searchLog } from '../sql/log/search-log.ts'
import { nextTurn } from '../sql/queues/next-turn.ts'
import { sqliteDialect } from './dialect.ts'
import type { Snapshots } from './snapshots.ts'

/** Timeout of a search in the log, including the wait for a thread. Clients may retry. */
const searchMs = 30_000

/** The notification log. A search examines thousands of entries, so threads run it. */
export function sqliteLog(reads: Snapshots, executor: QueryExecutor): LogReader {
  return {
    read: (account, after, filter, limit) =>
      reads.read((connection) => readLog(connection, account, after, filter, limit)),
    count: (account, after, filter) =>
      reads.read((connection) => countLog(connection, account, after, filter, nextTurn)),
    search: (range, sought, limit) => {
      const signal = AbortSignal.timeout(searchMs)
      const run = (statement: Fragment) => executor.all(range.account, statement, signal, searchMs)
      return searchLog(run, range, sought, limit)
    },
    end: (account) => reads.read((connection) => endOfLog(connection, sqliteDialect, account)),
    ends: (accounts) => reads.read((connection) => endsOfLog(connection, sqliteDialect, accounts)),
  }
}
