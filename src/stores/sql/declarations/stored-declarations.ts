import type { Collection } from '../../../core/declaration/collection.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { SqlConnection } from '../connection.ts'
import { numberIn, textIn, textOrNullIn } from '../rows/row.ts'
import { type Table, tableNamesOf } from '../tables/table.ts'
import type { ChangedDeclaration } from './declared-change.ts'
import type { Unfinished } from './unfinished.ts'

/** The declaration of the rows of a table, and the remaining work on older rows. */
export interface KeptDeclaration {
  readonly declared: Collection
  readonly unfinished: Unfinished | null
}

/** Returns the stored declarations, by the qualified name of the collection. */
export async function readKept(
  connection: SqlConnection,
): Promise<ReadonlyMap<string, KeptDeclaration>> {
  const rows = await connection.all('select collection, declared, unfinished from declarations', [])
  return new Map(
    rows.map(([name, declared, unfinished]): [string, KeptDeclaration] => {
      const left = textOrNullIn(unfinished)
      const kept = {
        declared: JSON.parse(textIn(declared)),
        unfinished: left === null ? null : JSON.parse(left),
      }
      return [textIn(name), kept]
    }),
  )
}

/** Stores a declaration, which replaces the last one. */
export async function keepDeclaration(
  connection: SqlConnection,
  name: string,
  { declared, unfinished }: KeptDeclaration,
): Promise<void> {
  const left = unfinished === null ? null : JSON.stringify(unfinished)
  await connection.run(keep, [name, JSON.stringify(declared), left])
}

/** Stores the remaining work on older rows. */
export async function keepUnfinished(
  connection: SqlConnection,
  name: string,
  unfinished: Unfinished | null,
): Promise<void> {
  const left = unfinished === null ? null : JSON.stringify(unfinished)
  await connection.run('update declarations set unfinished = ? where collection = ?', [left, name])
}

/**
 * Returns the row changes that remain for a table with rows, whose columns `columns` are new; null if there
 * are none.
 */
export function unfinishedOf(
  { collection }: Pick<Table, 'collection'>,
  before: KeptDeclaration | undefined,
  change: ChangedDeclaration | undefined,
  columns: readonly string[],
): Unfinished | null {
  const { texts, added, search } = change ?? { texts: false, added: [], search: false }
  if (texts || search || columns.length > 0) {
    return { texts, added: [...added], columns, search, after: null }
  }
  const isSame = JSON.stringify(before?.declared) === JSON.stringify(collection)
  return isSame ? (before?.unfinished ?? null) : null
}

/** Warns of stored instances without a declared collection. They stay stored until it is declared again. */
export async function tellUndeclared(
  connection: SqlConnection,
  tables: readonly Pick<Table, 'qualifiedName'>[],
  kept: ReadonlyMap<string, KeptDeclaration>,
  log: Log,
): Promise<void> {
  for (const [name, { declared }] of kept) {
    if (tables.some((table) => table.qualifiedName === name)) continue
    const row = await connection.first(`select count(*) from ${tableNamesOf(declared).sql}`, [])
    const instances = numberIn(row?.[0] ?? 0)
    if (instances > 0) {
      log('warn', 'stored collection not declared', { collection: name, instances })
    }
  }
}

const keep = `insert into declarations (collection, declared, unfinished) values (?, ?, ?)
  on conflict (collection) do update set
    declared = excluded.declared, unfinished = excluded.unfinished`
