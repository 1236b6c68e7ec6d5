import { accountId, everyAccount } from '../../core/account.ts'
import type { Query } from '../../core/query.ts'
import type { Filter, Stored } from '../../core/store.ts'
import type { CataloguedTable } from './catalogue.ts'
import type { Row } from './connection.ts'
import { countStatement, isOneList, pageStatements } from './list-statements.ts'
import { isScan } from './narrowing.ts'
import type { Session } from './session.ts'
import { storedIn } from './stored.ts'
import { numberIn, textIn } from './row.ts'
import { slices } from './slices.ts'
import type { Scope } from './source.ts'

/** The instances that a query wants, in its order. */
export async function list(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const [first, second] = query.sort
  const isById = second === undefined && first?.path.join('.') === 'id'
  const fromStart = 'after' in query.start || query.start.offset === 0
  if (!isById || !fromStart || !isSliced(session, table, scope, query)) {
    return page(session, table, scope, query)
  }

  const after = 'after' in query.start ? String(query.start.after[0]) : null
  const found: Stored[] = []
  for await (const bounds of slicesOf(session, table, scope, first.direction, after)) {
    const conditions = [...query.conditions, ...bounds]
    const limit = query.limit - found.length
    const start = { offset: 0 }
    found.push(...(await page(session, table, scope, { ...query, conditions, start, limit })))
    if (found.length === query.limit) break
  }
  return found
}

/** How many instances a filter lets through. */
export async function count(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  filter: Filter,
): Promise<number> {
  if (!isSliced(session, table, scope, filter)) return countAll(session, table, scope, filter)
  let sum = 0
  for await (const bounds of slicesOf(session, table, scope, 'asc', null)) {
    const conditions = [...filter.conditions, ...bounds]
    sum += await countAll(session, table, scope, { ...filter, conditions })
  }
  return sum
}

function isSliced(
  { pause }: Session,
  table: CataloguedTable,
  scope: Scope,
  filter: Filter,
): boolean {
  return pause !== null && isOneList(table, scope) && isScan(table, filter)
}

function slicesOf(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  direction: 'asc' | 'desc',
  after: string | null,
) {
  const idAt = async (query: Query): Promise<string | null> => {
    const [one] = await page(session, table, scope, query)
    return one?.id ?? null
  }
  return slices(direction, after, idAt, session.pause ?? (async () => {}))
}

async function page(
  { connection, dialect }: Session,
  table: CataloguedTable,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const found: Stored[] = []
  for (const { sql, params } of pageStatements(dialect, table, scope, query)) {
    const left = query.limit - found.length
    if (left <= 0) break
    const offset = 'offset' in query.start ? query.start.offset : 0
    const rows = await connection.all(`${sql} limit ? offset ?`, [...params, left, offset])
    for (const row of rows) found.push(listedIn(row, table, scope))
  }
  return found
}

/** A row of `pageStatements`: the texts, the id, then what is not the same for the whole page. */
function listedIn(row: Row, table: CataloguedTable, scope: Scope): Stored {
  const [, , , id, parent, owner] = row
  const account = scope.account === everyAccount ? accountId(textIn(owner)) : scope.account
  const place = { id: textIn(id), parent: scope.parent ?? (table.nested ? textIn(parent) : null) }
  return storedIn(row, table, account, place)
}

async function countAll(
  { connection, dialect }: Session,
  table: CataloguedTable,
  scope: Scope,
  filter: Filter,
): Promise<number> {
  const { sql, params } = countStatement(dialect, table, scope, filter)
  const row = await connection.first(sql, params)
  return row === undefined ? 0 : numberIn(row[0])
}
