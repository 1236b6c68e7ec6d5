import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { type Index, indexesOf, indexPrefixes } from '../../sql/tables/fixed-tables.ts'
import { quoted, shortened } from '../../sql/tables/identifier.ts'
import type { Table } from '../../sql/tables/table.ts'

/** Names of the indexes that this store makes begin so. */
export const ownPrefixes: readonly string[] = [...indexPrefixes, 's/']

/** The indexes of a collection's table here: those of its columns, and that of its searched text. */
export function wantedIndexes(table: Table): readonly Index[] {
  if (table.collection.searchIndex !== true) return indexesOf(table)
  const name = shortened(`s/${table.name}`)
  const on = `${table.sql} using gin (account, search gin_trgm_ops)`
  return [...indexesOf(table), { name, sql: `create index ${quoted(name)} on ${on}` }]
}

/** Makes the extensions that indexes of searched texts need. Throws `StoreUnavailable` where that is impossible. */
export async function makeExtensions(
  connection: SqlConnection,
  tables: readonly Table[],
): Promise<void> {
  const wanting = tables.find(({ collection }) => collection.searchIndex === true)
  if (wanting === undefined) return
  for (const extension of ['pg_trgm', 'btree_gin']) {
    try {
      await connection.run(`create extension if not exists ${extension}`, [])
    } catch (cause) {
      throw new StoreUnavailable(
        `the search index of ${wanting.qualifiedName} needs the extension ${extension} of PostgreSQL; install it ` +
          '(it is among the contributed modules), let the owner of the database create it, or leave the index out',
        { cause },
      )
    }
  }
}
