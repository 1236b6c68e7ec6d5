import type { Dialect } from '../../sql/dialect.ts'
import { logColumns, logIndex, tableDefinition } from '../../sql/tables/fixed-tables.ts'
import type { Table } from '../../sql/tables/table.ts'
import { partedCollection, partedLog } from './partitions.ts'

/** The statements that create the notification log, partitioned by day. Whole partitions are dropped. */
export const logTable: readonly string[] = [
  `create table if not exists log (${logColumns}) partition by range (at)`,
  logIndex,
  `create table if not exists ${partedLog.rest} partition of log default`,
]

/** Returns true if the table is partitioned by day. */
export function isPartitioned({ collection }: Table): boolean {
  return collection.passing === true
}

/** The statements that make the table of a collection whose instances pass. */
export function partedDefinition(dialect: Dialect, table: Table): readonly string[] {
  const { rest } = partedCollection(table.collection)
  return [
    `${tableDefinition(dialect, table)} partition by range (id)`,
    `create table if not exists ${rest} partition of ${table.sql} default`,
  ]
}

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

/**
 * Among indexes that seem equally good, as all do in a table that is empty or has no statistics, PostgreSQL
 * takes the one made last. If that is not the key's, statements planned then read all rows of an account for
 * each key. So a table gets its primary key after its indexes.
 */
export interface KeyLast {
  /** The definition without the key. */
  readonly definition: string
  /** The statement that adds the key; null if the definition has none of its own. */
  readonly addition: string | null
}

/** Splits the definition of a table. */
export function keyLast(definition: string): KeyLast {
  const table = /^create table if not exists ("[^"]*"|\w+)/.exec(definition)?.[1]
  const key = keyClause.exec(definition)?.[1]
  if (table === undefined || key === undefined) return { definition, addition: null }
  return {
    definition: definition.replace(keyClause, ''),
    addition: `alter table ${table} add primary key ${key}`,
  }
}

const keyClause = /,\s*primary key (\([^)]*\))/
