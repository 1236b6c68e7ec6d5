import {
  DeclarationError,
  type DeclarationFault,
} from '../../../core/declaration/declaration-error.ts'
import { breaches } from '../tables/violation.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import type { SqlConnection } from '../connection.ts'
import { declaredChange, type ChangedDeclaration } from '../declarations/declared-change.ts'
import type { Constraint } from '../tables/constraint.ts'
import type { Dialect } from '../dialect.ts'
import type { KeptDeclaration } from '../declarations/stored-declarations.ts'
import { numberIn, textOrNullIn } from './row.ts'

/**
 * Returns the changes of declarations since the rows of their tables were written, by qualified name.
 * Throws a `DeclarationError` that lists every change that would lose stored values.
 */
export async function changes(
  { connection, dialect }: { readonly connection: SqlConnection; readonly dialect: Dialect },
  tables: readonly CataloguedTable[],
  kept: ReadonlyMap<string, KeptDeclaration>,
): Promise<ReadonlyMap<string, ChangedDeclaration>> {
  const found = new Map<string, ChangedDeclaration>()
  const faults: DeclarationFault[] = []
  for (const table of tables) {
    const before = kept.get(table.qualifiedName)
    if (before === undefined) continue
    const change = declaredChange(before.declared, table.collection)
    found.set(table.qualifiedName, change)
    for (const demand of change.demands) {
      const holds = breaches(dialect, { collection: before.declared }, demand)
      const row = await connection.first(
        `select count(*), min(id) from ${table.sql} where ${holds.sql}`,
        holds.params,
      )
      const [count, example] = [numberIn(row?.[0] ?? 0), textOrNullIn(row?.[1] ?? null)]
      if (count > 0) faults.push(faultOf(table, demand, count, example))
    }
  }
  if (faults.length > 0)
    throw new DeclarationError('The declarations, compared with the store', faults)
  return found
}

function faultOf(
  { qualifiedName }: CataloguedTable,
  { path, detail }: Constraint,
  count: number,
  example: string | null,
): DeclarationFault {
  const some =
    count === 1 ? `1 instance (${example}) has` : `${count} instances (such as ${example}) have`
  return { path: `${qualifiedName}.${path}`, detail: detail.replace('…', () => some) }
}
