import type { Choice } from './choice.ts'
import type { SqlConnection } from '../connection.ts'
import { numberIn } from '../rows/row.ts'
import type { Effort } from './effort.ts'
import { placesStatement, probeStatement } from './list-statements.ts'
import { isInIndex } from './order.ts'
import { type CompiledQuery, isStraight, narrowRoutes, type AccessPath } from './route.ts'
import type { Session } from '../session.ts'

/**
 * Chooses the route to a page. How many rows an index leaves depends on the values: the planner
 * cannot know it, and its guess can cost a second. So each index is asked, up to a bound; where all
 * leave many, a walk along the order soon has the page full.
 */
export async function choose(session: Session, asked: CompiledQuery): Promise<Choice> {
  if (isStraight(asked)) return plainly
  const anew = (): Promise<Choice> => ask(session, asked)
  return session.choices === null ? anew() : session.choices.of(asked, anew)
}

const plainly: Choice = { route: { kind: 'plain' }, otherwise: { kind: 'plain' } }

async function ask(session: Session, asked: CompiledQuery): Promise<Choice> {
  const routes = narrowRoutes(asked)
  const [first] = routes
  if (first === undefined) return plainly

  const few = await firstWithin(session, asked, routes, (route) =>
    toSort(asked, route, session.effort),
  )
  if (few !== null) return { route: few, otherwise: few }
  if (!isInIndex(asked.table, asked.query.sort)) return { route: first, otherwise: first }
  return { route: { kind: 'walk' }, otherwise: first }
}

/** The first of some routes that leads to no more rows than it may; null where all lead to more, or none can tell. */
export async function firstWithin(
  { connection }: Session,
  asked: CompiledQuery,
  routes: readonly AccessPath[],
  mostOf: (route: AccessPath) => number,
): Promise<AccessPath | null> {
  for (const route of routes) {
    // Without whole tokens the index finds all before it gives the first.
    if (route.kind === 'words' && !route.searched.stepwise) continue
    const most = mostOf(route)
    const few =
      route.kind === 'words' && most <= keptAtMost
        ? await foundWithin(connection, route, most)
        : await leadsWithin(connection, asked, route, most)
    if (few !== null) return few
  }
  return null
}

/** So many places are kept at most; where there may be more they are only counted. */
const keptAtMost = 5000

/** What an index finds for words is kept: to look for it again costs as much as the page. */
async function foundWithin(
  connection: SqlConnection,
  route: Extract<AccessPath, { kind: 'words' }>,
  most: number,
): Promise<AccessPath | null> {
  const { sql, params } = placesStatement(route.searched, most + 1)
  const rows = await connection.all(sql, params)
  return rows.length > most ? null : { ...route, found: rows.map(([place]) => numberIn(place)) }
}

async function leadsWithin(
  connection: SqlConnection,
  asked: CompiledQuery,
  route: AccessPath,
  most: number,
): Promise<AccessPath | null> {
  const { sql, params } = probeStatement(asked, route, most + 1)
  const row = await connection.first(sql, params)
  return row !== undefined && numberIn(row[0]) <= most ? route : null
}

/** How many rows are sorted rather than walked by. */
function toSort({ query }: CompiledQuery, route: AccessPath, effort: Effort): number {
  const paths = [...query.conditions, ...query.sort].map(({ path }) => path.join('.'))
  const own = route.kind === 'field' ? route.path.join('.') : ''
  const isCovered =
    query.searchTerms.length === 0 && paths.every((path) => path === 'id' || path === own)
  return isCovered ? effort.sortedInIndex : effort.sorted
}
