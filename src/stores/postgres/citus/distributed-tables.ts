import type { SqlConnection } from '../../sql/connection.ts'
import { textIn } from '../../sql/rows/row.ts'
import { ownedTables } from '../../sql/tables/fixed-tables.ts'
import { identify, partedLog, partsOf } from '../schema/partitions.ts'
import type { Table } from '../../sql/tables/table.ts'

/** The first table. Shards of all other tables are co-located with its shards. */
const leading = 'submissions'

/** The tables besides those of collections that grow with accounts. */
const fixed: readonly string[] = [
  leading,
  'log',
  'log_heads',
  'receipt_routes',
  ...ownedTables,
].filter((name, at, all) => all.indexOf(name) === at)

/**
 * Returns true for a collection whose table is distributed. Configuration stays on the coordinator: it is small, and
 * it is looked for over all accounts.
 */
function grows({ collection, columns }: Table): boolean {
  const isSought = collection.audited || columns.some(({ unique }) => unique)
  return !collection.administratorsOnly && !(collection.owned && isSought)
}

/** Returns the tables to distribute, as SQL identifiers in this order. */
export function growingTables(tables: readonly Table[]): readonly string[] {
  return [...fixed, ...tables.filter(grows).map(({ sql }) => sql)]
}

/** Returns those of some tables that are not distributed. */
export async function notDistributed(
  connection: SqlConnection,
  tables: readonly string[],
): Promise<readonly string[]> {
  const rows = await connection.all(
    `select logicalrelid::regclass::oid::text from pg_dist_partition where partmethod = 'h'`,
    [],
  )
  const known = new Set(rows.map(([oid]) => textIn(oid)))
  const left: string[] = []
  for (const table of tables) {
    const row = await connection.first('select to_regclass(?)::oid::text', [table])
    if (!known.has(String(row?.[0]))) left.push(table)
  }
  return left
}

/** Distributes a table with its rows, in one transaction of the database. `shards` counts for the first table alone. */
export async function distributeTable(
  connection: SqlConnection,
  table: string,
  shards: number | null,
): Promise<void> {
  if (table === partedLog.sql) {
    const days = (await partsOf(connection, partedLog)) ?? []
    for (const name of [table, ...days]) await connection.run(identify(name), [])
  }
  if (table === leading) {
    await connection.run(
      "select create_distributed_table(?, 'cell', colocate_with => 'none', shard_count => ?)",
      [table, shards],
    )
  } else {
    await connection.run(
      `select create_distributed_table(?, 'cell', colocate_with => '${leading}')`,
      [table],
    )
  }
  // The copied rows are also still in the coordinator's own table, which is no longer read.
  await connection.run('select truncate_local_data_after_distributing_table(?)', [table])
}
