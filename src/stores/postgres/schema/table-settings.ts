/**
 * How tables are looked after (PostgreSQL, chapter 25). Queues live from being cleaned: at the usual
 * fifth of their rows an index of what is due would be mostly dead entries.
 */
export const tableSettings: readonly string[] = [
  ...['submissions', 'receipts', 'consumers', 'unmatched_receipts', 'credits'].map(
    (table) => `alter table ${table} set (
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
      autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0)`,
  ),
  // A cursor is written over and over: with room on its page no index is touched.
  'alter table consumers set (fillfactor = 50)',
  'alter table credits set (fillfactor = 20)',
]
