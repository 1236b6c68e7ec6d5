import {
  DeclarationError,
  type DeclarationFault,
} from '../../../core/declaration/declaration-error.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import type { SqlConnection } from '../connection.ts'
import { declaredChange, type ChangedDeclaration } from '../declarations/declared-change.ts'
import type { Constraint } from '../tables/constraint.ts'
import type { Dialect } from '../dialect.ts'
import type { KeptDeclaration } from '../declarations/stored-declarations.ts'
import { defaultAccount } from '../../../core/account.ts'
import { fieldAt } from '../../field-at.ts'
import { type Fragment, join, parameter, plain } from '../fragment.ts'
import { type Table, textSource } from '../tables/table.ts'
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

/** The rows that break a demand, as a condition. `table` is that of the declaration before. */
function breaches(
  dialect: Dialect,
  { collection }: Pick<Table, 'collection'>,
  { names, source, breach }: Constraint,
): Fragment {
  const valueAt = (path: readonly string[]): Fragment =>
    dialect.jsonValue(textSource(dialect, collection, source), path, fieldAt(collection, path).kind)
  const around = names.slice(0, -1)
  const isThere = around.length === 0 ? plain('1 = 1') : join`${valueAt(around)} is not null`
  switch (breach.is) {
    case 'value':
      return join`${valueAt(names)} is not null`
    case 'null':
      return join`${isThere} and ${valueAt(names)} is null`
    case 'other': {
      const value = valueAt(names)
      return join`${value} is not null and not (${dialect.among(value, breach.than)})`
    }
    case 'instance':
      return isThere
    case 'elsewhere':
      return join`account <> ${parameter(defaultAccount)}`
  }
}
