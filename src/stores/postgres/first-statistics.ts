import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { textIn } from '../sql/rows/row.ts'
import { quoted } from '../sql/tables/identifier.ts'
import { tablePrefix } from '../sql/tables/table.ts'
import type { Address } from './connection/address.ts'
import { connectTo } from './connection/servers.ts'
import type { Transactions } from './connection/transactions.ts'
import { repeat } from './repeat.ts'
import { takeTime, withConnection } from './schema/set-up.ts'

/** Interval between looks at the tables, in milliseconds. */
const lookMs = 2000

/** Rows from which the place of a row in its index matters. */
const rowsMin = 500

/** Dependencies of the statistics. */
interface StatisticsParts {
  readonly address: Address
  readonly loops: Transactions
  readonly clock: Clock
  readonly log: Log
}

/**
 * Takes statistics of each table soon after its first rows; later ones are left to autovacuum, which comes after a
 * minute or more. Without any, PostgreSQL believes that an account has one row in forty thousand, and looks for
 * the key of one in whatever index is low, through all rows of the account.
 */
export function takeFirstStatistics(parts: StatisticsParts): AsyncDisposable {
  const { address, loops, clock, log } = parts
  let isFailing = false
  const onFault = (error: unknown): void => {
    if (!isFailing) log('warn', 'no statistics taken of new tables', { error })
    isFailing = true
  }
  return repeat({ clock, everyMs: lookMs, onFault }, async () => {
    const tables = await loops.read((connection) => connection.all(unknownTables, [rowsMin]))
    for (const [name] of tables) {
      await withConnection(
        await connectTo(address.direct, address.directServers),
        async (connection) => {
          await takeTime(connection)
          await connection.run(`analyze (skip_locked) ${quoted(textIn(name))}`, [])
        },
      )
    }
    isFailing = false
  })
}

/** Queues are left out: what is known of a queue is out of date at once. */
const unknownTables = `
  select relname::text from pg_stat_user_tables
  where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
    and n_live_tup >= ? and (relname like '${tablePrefix}%' or relname = 'receipts')`
