import { accountId, everyAccount } from '../../../core/account.ts'
import type { Query } from '../../../core/declaration/query.ts'
import type { RowFilter, Stored } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import type { Row } from '../connection.ts'
import { countStatement, listStatement } from './list-statements.ts'
import { numberIn, textIn, storedIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { Scope } from '../tables/source.ts'

/** Returns the instances of a page, in the order of the query. */
export async function list(
  { connection, dialect }: Session,
  table: CataloguedTable,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const { sql, params } = listStatement({ dialect, table, scope, query }, query)
  const rows = await connection.all(sql, params)
  return instancesIn(rows, { table, scope })
}

/** Returns the instances of the rows that a list statement gives. */
export function instancesIn(
  rows: readonly Row[],
  { table, scope }: { readonly table: CataloguedTable; readonly scope: Scope },
): readonly Stored[] {
  return rows.map((row) => listedIn(row, table, scope))
}

/** Returns how many instances a filter selects. */
export async function count(
  { connection, dialect }: Session,
  table: CataloguedTable,
  scope: Scope,
  filter: RowFilter,
): Promise<number> {
  const query = { ...filter, sort: [] }
  const { sql, params } = countStatement({ dialect, table, scope, query })
  const row = await connection.first(sql, params)
  return row === undefined ? 0 : numberIn(row[0])
}

/** A row of a page: the texts, the id, then what differs within the page. */
function listedIn(row: Row, table: CataloguedTable, scope: Scope): Stored {
  const [, , , id, parent, owner] = row
  const account = scope.account === everyAccount ? accountId(textIn(owner)) : scope.account
  const key = { id: textIn(id), parent: scope.parent ?? (table.nested ? textIn(parent) : null) }
  return storedIn(row, table, account, key)
}
