import type { Table } from '../../sql/tables/table.ts'

/**
 * Storage and autovacuum settings of tables (PostgreSQL, chapter 25). Queues need frequent vacuums: at the
 * default of a fifth of the rows, an index of due rows would be mostly dead entries.
 */
export const tableSettings: readonly string[] = [
  ...['submissions', 'receipts', 'consumers', 'unmatched_receipts', 'counters'].map(
    (table) => `alter table ${table} set (
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`,
  ),
  // A cursor is written over and over: with room on its page no index is touched.
  'alter table consumers set (fillfactor = 50)',
  // A claim changes each row once.
  'alter table submissions set (fillfactor = 40)',
  'alter table counters set (fillfactor = 20)',
]

/**
 * Each message is written again when its status changes, most of a page by one commit: with room for a
 * second version of each on its page no index is touched, and less is logged.
 */
const rewritten: ReadonlySet<string> = new Set(['messages'])

/** Returns the storage clause of a collection's table, which follows its definition. */
export function storageOf({ qualifiedName }: Table): string {
  return rewritten.has(qualifiedName) ? ' with (fillfactor = 42)' : ''
}
