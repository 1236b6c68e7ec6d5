import { textIn } from '../sql/rows/row.ts'
import { quoted } from '../sql/tables/identifier.ts'
import { tablePrefix } from '../sql/tables/table.ts'
import { administer, type AdministrationParts } from './administration.ts'

/** Interval between looks at the tables, in milliseconds. */
const lookMs = 2000

/** Rows from which the place of a row in its index matters. */
const rowsMin = 500

/**
 * Takes statistics of each table soon after its first rows; later ones are left to autovacuum, which comes after a
 * minute or more. Without any, PostgreSQL believes that an account has one row in forty thousand, and looks for
 * the key of one in whatever index is low, through all rows of the account.
 */
export function takeFirstStatistics(parts: AdministrationParts): AsyncDisposable {
  const failed = 'no statistics taken of new tables'
  return administer(parts, { everyMs: lookMs, failed }, async (run) => {
    const tables = await parts.loops.read((connection) => connection.all(unknownTables, [rowsMin]))
    for (const [name] of tables) await run(`analyze (skip_locked) ${quoted(textIn(name))}`)
  })
}

/** Queues are left out: what is known of a queue is out of date at once. */
const unknownTables = `
  select relname::text from pg_stat_user_tables
  where schemaname = current_schema() and last_analyze is null and last_autoanalyze is null
    and n_live_tup >= ? and (relname like '${tablePrefix}%' or relname = 'receipts')`
