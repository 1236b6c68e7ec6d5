import type { Query } from '../../../core/declaration/query.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { alternatives } from './alternatives.ts'
import type { SqlConnection, Row } from '../connection.ts'
import type { Fragment } from '../fragment.ts'
import { join, parameter } from '../fragment.ts'
import {
  beyondStatement,
  type Chosen,
  mergedStatement,
  rowsStatement,
  segmentStatement,
  walkStatement,
} from './list-statements.ts'
import { isInIndex, segmentsOf } from './order.ts'
import { isWhollyInIndex, partsOf } from './parts.ts'
import { type CompiledQuery, isStraight, type AccessPath, wayOf } from './route.ts'
import { numberIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import { isOneList } from '../tables/source.ts'

/** Where a page begins, and how long it is at most. */
export type PageBounds = Pick<Query, 'start' | 'limit'>

/** The rows of a page by a route, as `list-statements.ts` chooses them; null where a walk is too long. */
export async function page(
  session: Session,
  asked: CompiledQuery,
  place: PageBounds,
  route: AccessPath,
): Promise<readonly Row[] | null> {
  const { table, query } = asked
  const { connection } = session
  const isDirect = isInIndex(table, query.sort) && isWhollyInIndex(asked)
  if (route.kind === 'plain' && isDirect) {
    const merged = await severalAtOnce(connection, asked, place)
    if (merged !== null) return merged
    if (!isFar(place)) return collect(session, asked, place, route, 'rows')
  }
  const places =
    route.kind === 'walk'
      ? await walk(session, asked, place)
      : await collect(session, asked, place, route, 'places')
  return places === null ? null : rowsAt(connection, asked, places)
}

/** Rows that are passed over are not read, where an index has all that decides. */
function isFar({ start }: PageBounds): boolean {
  return 'offset' in start && start.offset >= farFrom
}

const farFrom = 500

/** By id, each of several values of a field is a range of its index: their pages are merged. */
async function severalAtOnce(
  connection: SqlConnection,
  asked: CompiledQuery,
  { start, limit }: PageBounds,
): Promise<readonly Row[] | null> {
  const { table, scope, query } = asked
  const [key] = query.sort
  if (key === undefined || !isOneList(table, scope) || !isStraight(asked)) return null
  const parts = alternatives(table, query)
  if (parts === null) return null

  const offset = 'offset' in start ? start.offset : 0
  const statements = parts.flatMap((part) => {
    const one = { ...asked, query: part }
    const way = wayOf(one, { kind: 'plain' })
    return segmentsOf(way.keys, start).map((segment) => segmentStatement(one, way, segment, 'rows'))
  })
  return limited(
    connection,
    mergedStatement(statements, key.direction, offset + limit),
    limit,
    offset,
  )
}

/** Takes the rows of one segment after the other until the page is full. */
async function collect(
  { connection, effort }: Session,
  asked: CompiledQuery,
  { start, limit }: PageBounds,
  route: AccessPath,
  chosen: Chosen,
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
  asked: CompiledQuery,
  { start, limit }: PageBounds,
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
  connection: SqlConnection,
  asked: CompiledQuery,
  places: readonly Row[],
): Promise<readonly Row[]> {
  if (places.length === 0) return []
  const order = places.map(([place]) => numberIn(place))
  const { sql, params } = rowsStatement(asked, order)
  const rows = await connection.all(sql, params)
  const byPlace = new Map(rows.map((row) => [numberIn(row.at(-1)), row]))
  return order.flatMap((place) => {
    const row = byPlace.get(place)
    return row === undefined ? [] : [row]
  })
}

function limited(
  connection: SqlConnection,
  statement: Fragment,
  limit: number,
  offset: number,
): MaybePromise<readonly Row[]> {
  const { sql, params } = join`${statement} limit ${parameter(limit)} offset ${parameter(offset)}`
  return connection.all(sql, params)
}
