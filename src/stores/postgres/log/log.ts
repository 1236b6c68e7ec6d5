import type { LogReader } from '../../../core/ports/notification-log.ts'
import { endOfLog, endsOfLog, readLog } from '../../sql/log/notification-log.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { countLog, type RunLogSearch, searchLog, sumLog } from '../../sql/log/search-log.ts'
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
  // Each is a single statement.
  const read = transactions.ask
  return {
    read: (...asked) =>
      read(async (connection) =>
        (await isHidden(faults, connection)) ? [] : readLog(connection, ...asked),
      ),
    sum: (...asked) => read((connection) => sumLog(connection, ...asked)),
    count: (...asked) => read((connection) => countLog(runOn(connection), ...asked)),
    search: (...asked) => read((connection) => searchLog(runOn(connection), ...asked)),
    end: (account) => read((connection) => endOfLog(connection, postgresDialect, account)),
    ends: (accounts) => read((connection) => endsOfLog(connection, postgresDialect, accounts)),
  }
}

function runOn(connection: SqlConnection): RunLogSearch {
  return ({ sql, params }) => connection.all(sql, params)
}
