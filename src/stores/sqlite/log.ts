import type { AccountId } from '../../core/account.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import type { QueryExecutor } from '../sql/lists/bounded-reads.ts'
import { endOfLog, endsOfLog, readLog } from '../sql/log/notification-log.ts'
import { countLog, type RunLogSearch, searchLog, sumLog } from '../sql/log/search-log.ts'
import { sqliteDialect } from './dialect.ts'
import type { Snapshots } from './snapshots.ts'

/** Timeout of a search or a count in the log, including the wait for a thread. Clients may retry. */
const searchMs = 30_000

/** The notification log. Searches and counts examine thousands of entries, so threads run them. */
export function sqliteLog(reads: Snapshots, executor: QueryExecutor): LogReader {
  const inThread = (account: AccountId): RunLogSearch => {
    const signal = AbortSignal.timeout(searchMs)
    return (statement) => executor.all(account, statement, signal, searchMs)
  }
  return {
    read: (account, after, filter, limit) =>
      reads.read((connection) => readLog(connection, account, after, filter, limit)),
    sum: (...asked) => reads.read((connection) => sumLog(connection, ...asked)),
    count: (account, ...asked) => countLog(inThread(account), account, ...asked),
    search: (range, ...asked) => searchLog(inThread(range.account), range, ...asked),
    end: (account) => reads.read((connection) => endOfLog(connection, sqliteDialect, account)),
    ends: (accounts) => reads.read((connection) => endsOfLog(connection, sqliteDialect, accounts)),
  }
}
