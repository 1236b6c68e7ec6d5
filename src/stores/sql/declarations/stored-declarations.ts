import type { Collection } from '../../../core/declaration/collection.ts'
import type { SqlConnection } from '../connection.ts'
import { textIn, textOrNullIn } from '../rows/row.ts'
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

const keep = `insert into declarations (collection, declared, unfinished) values (?, ?, ?)
  on conflict (collection) do update set
    declared = excluded.declared, unfinished = excluded.unfinished`
