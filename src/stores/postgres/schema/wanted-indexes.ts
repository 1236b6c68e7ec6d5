import { quoted, shortened } from '../../sql/tables/identifier.ts'
import { type Index, indexesOf, indexPrefixes } from '../../sql/tables/fixed-tables.ts'
import type { Table } from '../../sql/tables/table.ts'

/** Names of the indexes that this store makes begin so. Earlier versions know the first ones alone. */
export const ownPrefixes: readonly string[] = [...indexPrefixes, 'a/', 'k/']

/**
 * The indexes of a collection's table here. The one by which rows have their keys has their places, too: so
 * a page far down a list is found in it alone.
 */
export function wantedIndexes(table: Table): readonly Index[] {
  const key = keyIndexName(table)
  return [
    ...indexesOf(table),
    ...(key === null ? [] : [indexOn('unique index', key, table, '(account, id) include (place)')]),
  ]
}

/** The name of the index by which rows have their keys; null where a rule of the table is kept for that. */
export function keyIndexName({ collection, name, nested }: Table): string | null {
  return nested || collection.passing === true ? null : shortened(`k/${name}`)
}

function indexOn(kind: string, name: string, { sql }: Table, columns: string): Index {
  return { name, sql: `create ${kind} ${quoted(name)} on ${sql} ${columns}` }
}
