import { accountId, everyAccount } from '../../../core/account.ts'
import type { Condition, Query } from '../../../core/declaration/query.ts'
import type { RowFilter, Stored } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import { choose, firstWithin } from './choose.ts'
import type { Row } from '../connection.ts'
import { countStatement } from './list-statements.ts'
import { isScan } from './narrowing.ts'
import { isId } from './order.ts'
import { page, type PageBounds } from './page.ts'
import { type CompiledQuery, narrowRoutes, type AccessPath } from './route.ts'
import { numberIn, textIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import { slices } from './slices.ts'
import { isOneList, type Scope } from '../tables/source.ts'
import { storedIn } from '../rows/stored.ts'

/** The instances that a query wants, in its order. */
export async function list(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const asked: CompiledQuery = { dialect: session.dialect, table, scope, query }
  const rows = await rowsOf(session, asked, query)
  return rows.map((row) => listedIn(row, table, scope))
}

/** How many instances a filter lets through. */
export async function count(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  { conditions, searchTerms }: RowFilter,
): Promise<number> {
  const query = { conditions, searchTerms, sort: [] }
  const asked: CompiledQuery = { dialect: session.dialect, table, scope, query }
  if (!isScan(table, query)) return countBy(session, asked, plain)
  const few = await byWords(session, asked)
  if (few !== null) return countBy(session, asked, few)
  if (!isSliced(session, asked)) return countBy(session, asked, plain)

  let sum = 0
  for await (const bounds of slicesOf(session, asked, 'asc', null)) {
    sum += await countBy(session, withConditions(asked, bounds), plain)
  }
  return sum
}

const plain: AccessPath = { kind: 'plain' }

async function rowsOf(
  session: Session,
  asked: CompiledQuery,
  place: PageBounds,
): Promise<readonly Row[]> {
  const { route, otherwise } = await choose(session, asked)
  if (route.kind === 'plain') return alongOrder(session, asked, place)
  const found = await page(session, asked, place, route)
  if (found !== null) return found
  const most = session.effort.sortedAtMost
  const few = await firstWithin(session, asked, narrowRoutes(asked), () => most)
  const goesOn = few === null && isSliced(session, asked) && isSliceable(asked, place)
  if (goesOn) return alongOrder(session, asked, place)
  return (await page(session, asked, place, few ?? otherwise)) ?? []
}

/** The rows as the planner finds them; in slices where it has to look at many of them. */
async function alongOrder(
  session: Session,
  asked: CompiledQuery,
  place: PageBounds,
): Promise<readonly Row[]> {
  const isLong = isSliced(session, asked) && isSliceable(asked, place)
  if (!isLong) return (await page(session, asked, place, plain)) ?? []

  const { start, limit } = place
  const after = 'after' in start ? String(start.after[0]) : null
  const direction = asked.query.sort[0]?.direction ?? 'asc'
  const found: Row[] = []
  for await (const bounds of slicesOf(session, asked, direction, after)) {
    const next = { start: { offset: 0 }, limit: limit - found.length }
    found.push(...((await page(session, withConditions(asked, bounds), next, plain)) ?? []))
    if (found.length === limit) break
  }
  return found
}

/** The route by words, if it leads to no more rows than are worth to be looked at one by one. */
function byWords(session: Session, asked: CompiledQuery): Promise<AccessPath | null> {
  const routes = narrowRoutes(asked).filter(({ kind }) => kind === 'words')
  return firstWithin(session, asked, routes, () => session.effort.sortedAtMost)
}

async function countBy(
  { connection }: Session,
  asked: CompiledQuery,
  route: AccessPath,
): Promise<number> {
  const { sql, params } = countStatement(asked, route)
  const row = await connection.first(sql, params)
  return row === undefined ? 0 : numberIn(row[0])
}

/** Whether many texts are read, and others may have their turn in between. */
function isSliced({ pause }: Session, { table, scope, query }: CompiledQuery): boolean {
  return pause !== null && isOneList(table, scope) && isScan(table, query)
}

/** Whether the order is that of the slices, which begin at a place. */
function isSliceable({ query }: CompiledQuery, { start }: PageBounds): boolean {
  const [first] = query.sort
  return first !== undefined && isId(first.path) && !('offset' in start && start.offset > 0)
}

function slicesOf(
  session: Session,
  asked: CompiledQuery,
  direction: 'asc' | 'desc',
  after: string | null,
) {
  const idAt = async ({ start, limit, ...query }: Query): Promise<string | null> => {
    const rows = await page(session, { ...asked, query }, { start, limit }, plain)
    return rows?.[0] === undefined ? null : textIn(rows[0][3])
  }
  return slices(direction, after, idAt, session.pause ?? (async () => {}))
}

function withConditions(asked: CompiledQuery, more: readonly Condition[]): CompiledQuery {
  const conditions = [...asked.query.conditions, ...more]
  return { ...asked, query: { ...asked.query, conditions } }
}

/** A row of a page: the texts, the id, then what is not the same for the whole page. */
function listedIn(row: Row, table: CataloguedTable, scope: Scope): Stored {
  const [, , , id, parent, owner] = row
  const account = scope.account === everyAccount ? accountId(textIn(owner)) : scope.account
  const place = { id: textIn(id), parent: scope.parent ?? (table.nested ? textIn(parent) : null) }
  return storedIn(row, table, account, place)
}
