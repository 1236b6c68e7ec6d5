import { everyAccount } from '../../../core/account.ts'
import type { SortKey } from '../../../core/declaration/query.ts'
import type { SearchedRows } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, join, list, parameter, plain } from '../fragment.ts'
import { type OrderKey, orderBy, type Segment } from './order.ts'
import {
  type CompiledQuery,
  isPlaceAmong,
  type AccessPath,
  type PathClauses,
  wayOf,
} from './route.ts'
import type { Scope } from '../tables/source.ts'
import type { Table } from '../tables/table.ts'

/** What a statement gives of each row: all that is listed, or its place in the table alone. */
export type Chosen = 'rows' | 'places'

/** The statement that gives the rows of a segment in its order, without a limit. */
export function segmentStatement(
  { table, scope }: CompiledQuery,
  { from, bounds, tests }: PathClauses,
  { where, keys }: Segment,
  chosen: Chosen,
): Fragment {
  const columns = chosen === 'rows' ? listedColumns(table, scope) : plain('place')
  const holds = allOf([...bounds, ...where, ...tests])
  const order = orderBy(keys, tieBreakers(table, scope))
  return join`select ${columns} from ${from} where ${holds} order by ${order}`
}

/** The statement that tests so many rows of a segment, and gives the places of those that pass. */
export function walkStatement(
  asked: CompiledQuery,
  way: PathClauses,
  segment: Segment,
  rows: number,
): Fragment {
  const { table, scope } = asked
  const holds = allOf([...way.bounds, ...segment.where])
  const order = orderBy(segment.keys, tieBreakers(table, scope))
  return join`
    select place from (
      select place, ${allOf(way.tests)} as passes from ${way.from}
      where ${holds} order by ${order} limit ${parameter(rows)})
    as walked where passes`
}

/**
 * The statement that gives the places of several lists by id, each no longer than `limit`, as one in
 * the order of ids.
 */
export function mergedStatement(
  statements: readonly Fragment[],
  direction: SortKey['direction'],
  limit: number,
): Fragment {
  const parts = statements.map((statement, at) => {
    const name = plain(`part_${at}`)
    return join`select * from (${statement} limit ${parameter(limit)}) as ${name}`
  })
  return join`${list(parts, ' union all ')} order by ${plain(`4 ${direction}`)}`
}

/** The statement that finds whether a segment has more rows than a walk has tested. */
export function beyondStatement(
  asked: CompiledQuery,
  way: PathClauses,
  segment: Segment,
  rows: number,
): Fragment {
  const untested = segmentStatement(asked, { ...way, tests: [] }, segment, 'places')
  return join`${untested} limit 1 offset ${parameter(rows)}`
}

/** The statement that gives the next value of a key within a segment. */
export function nextValueStatement(
  { from, bounds }: PathClauses,
  { where }: Segment,
  { value, direction }: OrderKey,
): Fragment {
  const holds = allOf([...bounds, ...where])
  const order = join`${value} ${plain(direction)}`
  return join`select ${value} from ${from} where ${holds} order by ${order} limit 1`
}

/** The statement that counts the rows to which a route leads, no further than to `most`. */
export function probeStatement(asked: CompiledQuery, route: AccessPath, most: number): Fragment {
  const { from, bounds } = wayOf(asked, route)
  const found =
    route.kind === 'words'
      ? join`select 1 from (${route.searched.places}) as searched`
      : join`select 1 from ${from} where ${allOf(bounds)}`
  return join`select count(*) from (${found} limit ${parameter(most)}) as found`
}

/** The statement that gives the places that an index finds for words, no more than `most`. */
export function placesStatement({ places }: SearchedRows, most: number): Fragment {
  return join`select place from (${places}) as searched limit ${parameter(most)}`
}

/** The statement that gives the rows at some places, each with its place. */
export function rowsStatement(
  { dialect, table, scope }: CompiledQuery,
  places: readonly number[],
): Fragment {
  const holds = allOf([
    isPlaceAmong(dialect, places),
    ...(scope.account === everyAccount ? [] : [join`account = ${parameter(scope.account)}`]),
  ])
  return join`select ${listedColumns(table, scope)}, place from ${plain(table.sql)} where ${holds}`
}

/** The statement that counts all to which a route leads. */
export function countStatement(asked: CompiledQuery, route: AccessPath): Fragment {
  const { from, bounds, tests } = wayOf(asked, route)
  return join`select count(*) from ${from} where ${allOf([...bounds, ...tests])}`
}

/** The columns of `rows`. Parent and account are read only where they differ within a page. */
function listedColumns(table: Table, scope: Scope): Fragment {
  const parent = table.nested && scope.parent === null ? 'parent' : 'null'
  const account = scope.account === everyAccount ? 'account' : 'null'
  return plain(`doc, hidden, revision, id, ${parent}, ${account}`)
}

/** Without them instances of two accounts, or parents, that have the same id would have no order. */
function tieBreakers(table: Table, scope: Scope): readonly Fragment[] {
  return [
    ...(table.nested && scope.parent === null ? [plain('parent')] : []),
    ...(scope.account === everyAccount ? [plain('account')] : []),
  ]
}
