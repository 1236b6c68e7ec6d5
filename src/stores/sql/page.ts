import type { Query } from '../../core/query.ts'
import type { CataloguedTable } from './catalogue.ts'
import type { Connection, Row } from './connection.ts'
import type { Fragment } from './dialect.ts'
import { join, parameter } from './fragment.ts'
import {
  beyondStatement,
  probeStatement,
  rowsStatement,
  segmentStatement,
  walkStatement,
} from './list.ts'
import { isInIndex } from './order.ts'
import { isWhollyInIndex, partsOf } from './parts.ts'
import type { Session } from './reader.ts'
import { type Asked, isStraight, narrowRoutes, type Route, type Scope, wayOf } from './route.ts'
import { numberIn } from './row.ts'

/** How far a list looks before it takes another way. Any numbers give the same answer. */
export interface Effort {
  /** So many rows are sorted by their index alone, where that has all that decides. */
  readonly sortedInIndex: number
  /** So many rows are read and sorted. */
  readonly sorted: number
  /** So many rows are tested along the order before the page is looked for otherwise. */
  readonly walked: number
  /** So many values are taken one by one where those that share a value must be sorted. */
  readonly values: number
}

/** Each of these takes some milliseconds at most. */
export const effort: Effort = { sortedInIndex: 10_000, sorted: 2000, walked: 10_000, values: 16 }

/** The rows of a page, as `list.ts` chooses them. */
export async function page(
  session: Session,
  table: CataloguedTable,
  scope: Scope,
  query: Query,
): Promise<readonly Row[]> {
  const asked: Asked = { dialect: session.dialect, table, scope, query }
  const { route, otherwise } = await choose(session, asked)
  if (route.kind === 'plain' && isInIndex(table, query.sort) && isWhollyInIndex(asked)) {
    return collect(session, asked, query, route, 'rows')
  }
  const places = async (by: Route): Promise<readonly Row[]> =>
    by.kind === 'walk'
      ? ((await walk(session, asked, query)) ?? places(otherwise))
      : collect(session, asked, query, by, 'places')
  return rowsAt(session.connection, table, scope, await places(route))
}

interface Choice {
  readonly route: Route
  /** Where a walk leads nowhere. */
  readonly otherwise: Route
}

/**
 * How many rows an index leaves depends on the values: the planner cannot know it, and its guess
 * can cost a second. So each index is asked, up to a bound; where all leave many, a walk along the
 * order soon has the page full.
 */
async function choose({ connection, effort }: Session, asked: Asked): Promise<Choice> {
  const plain = { kind: 'plain' } as const
  if (isStraight(asked)) return { route: plain, otherwise: plain }
  const routes = narrowRoutes(asked)
  const [first] = routes
  if (first === undefined) return { route: plain, otherwise: plain }

  for (const route of routes) {
    const most = rowsToSort(asked, route, effort)
    if (most === null) continue
    const { sql, params } = probeStatement(asked, route, most + 1)
    const row = await connection.first(sql, params)
    if (row !== undefined && numberIn(row[0]) <= most) return { route, otherwise: route }
  }
  const walks = isInIndex(asked.table, asked.query.sort)
  return { route: walks ? { kind: 'walk' } : first, otherwise: first }
}

/** Null where the index does not tell without finding all. */
function rowsToSort({ query }: Asked, route: Route, effort: Effort): number | null {
  if (route.kind === 'words') return route.searched.stepwise ? effort.sorted : null
  const paths = [...query.conditions, ...query.sort].map(({ path }) => path.join('.'))
  const own = route.kind === 'field' ? route.path.join('.') : ''
  const covered = query.words.length === 0 && paths.every((path) => path === 'id' || path === own)
  return covered ? effort.sortedInIndex : effort.sorted
}

/** Takes the rows of one segment after the other until the page is full. */
async function collect(
  { connection, effort }: Session,
  asked: Asked,
  { start, limit }: Query,
  route: Route,
  chosen: 'rows' | 'places',
): Promise<readonly Row[]> {
  const way = wayOf(asked, route)
  const offset = 'offset' in start ? start.offset : 0
  const values = route.kind === 'plain' ? effort.values : 0
  const found: Row[] = []
  for await (const segment of partsOf(connection, asked, way, start, values)) {
    if (found.length >= limit) break
    const statement = segmentStatement(asked, way, segment, chosen)
    found.push(...(await limited(connection, statement, limit - found.length, offset)))
  }
  return found
}

/** The places along the order at which the tests hold; null where the walk is too long for that. */
async function walk(
  { connection, effort }: Session,
  asked: Asked,
  { start, limit }: Query,
): Promise<readonly Row[] | null> {
  const way = wayOf(asked, { kind: 'walk' })
  const offset = 'offset' in start ? start.offset : 0
  const found: Row[] = []
  for await (const segment of partsOf(connection, asked, way, start, effort.values)) {
    const left = limit - found.length
    if (left <= 0) break
    const statement = walkStatement(asked, way, segment, effort.walked)
    const rows = await limited(connection, statement, left, offset)
    found.push(...rows)
    if (rows.length === left) break
    const { sql, params } = beyondStatement(asked, way, segment, effort.walked)
    if ((await connection.first(sql, params)) !== undefined) return null
  }
  return found
}

async function rowsAt(
  connection: Connection,
  table: CataloguedTable,
  scope: Scope,
  places: readonly Row[],
): Promise<readonly Row[]> {
  if (places.length === 0) return []
  const order = places.map(([place]) => numberIn(place))
  const rows = await connection.all(rowsStatement(table, scope), [JSON.stringify(order)])
  const byPlace = new Map(rows.map((row) => [numberIn(row.at(-1)), row]))
  return order.flatMap((place) => {
    const row = byPlace.get(place)
    return row === undefined ? [] : [row]
  })
}

function limited(
  connection: Connection,
  statement: Fragment,
  limit: number,
  offset: number,
): Promise<readonly Row[]> {
  const { sql, params } = join`${statement} limit ${parameter(limit)} offset ${parameter(offset)}`
  return connection.all(sql, params)
}
