import type { LogReader } from '../../../core/ports/notification-log.ts'
import { countLog, endOfLog, endsOfLog, readLog } from '../../sql/log/notification-log.ts'
import { searchLog } from '../../sql/log/search-log.ts'
import { postgresDialect } from '../dialect.ts'
import { isHidden, type PlantedFaults } from './planted-faults.ts'
import type { Transactions } from '../connection/transactions.ts'

/** Dependencies of the log reader. */
export interface LogParts {
  readonly transactions: Transactions
  readonly faults: PlantedFaults
}

/**
 * Creates the reader of the notification log. Committed entries are readable immediately, since an
 * account's entries are committed in order.
 */
export function logReader({ transactions, faults }: LogParts): LogReader {
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
  }
}
