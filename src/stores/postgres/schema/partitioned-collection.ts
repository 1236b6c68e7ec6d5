import type { Dialect } from '../../sql/dialect.ts'
import { tableDefinition } from '../../sql/tables/fixed-tables.ts'
import type { Table } from '../../sql/tables/table.ts'
import { partedCollection } from './partitions.ts'

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
