import { everyAccount } from '../../../core/account.ts'
import type { Condition, Query } from '../../../core/declaration/query.ts'
import { alternatives } from './alternatives.ts'
import { condition, expression, samePath, searchedText } from './condition.ts'
import type { Dialect, SearchedRows } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { plain } from '../fragment.ts'
import { isId, isInIndex, type OrderKey, keysOf } from './order.ts'
import { type Scope, scopeConditions, type Source, sourceOf } from '../tables/source.ts'
import { columnAt, type Table } from '../tables/table.ts'

/** A query with all that it takes to write it down. */
export interface CompiledQuery {
  readonly dialect: Dialect
  readonly table: Table
  readonly scope: Scope
  readonly query: Omit<Query, 'start' | 'limit'>
}

/**
 * A way to the rows. `plain` leaves it to the planner. `walk` goes along the order and tests each
 * row. `field` and `words` take what an index has for the conditions on one field, or for the
 * words, and sort it.
 */
export type AccessPath =
  | { readonly kind: 'plain' }
  | { readonly kind: 'walk' }
  | { readonly kind: 'field'; readonly path: readonly string[] }
  | {
      readonly kind: 'words'
      readonly searched: SearchedRows
      /** The places themselves, where they are known already. */
      readonly found?: readonly number[]
    }

/** What a statement is made of that goes a route: what an index serves, what each row is tested for, the order. */
export interface PathClauses {
  readonly from: Fragment
  readonly bounds: readonly Fragment[]
  readonly tests: readonly Fragment[]
  readonly keys: readonly OrderKey[]
}

/** Writes down a route. Only what it goes by may use an index. */
export function wayOf(asked: CompiledQuery, route: AccessPath): PathClauses {
  const { dialect, query } = asked
  const { from, holds, table } = routeSource(asked, route)
  const free = (value: Fragment): Fragment => dialect.unindexed(value)
  const isBound = (path: readonly string[]): boolean =>
    route.kind === 'plain' ||
    (route.kind === 'field' && samePath(route.path, path)) ||
    (route.kind === 'walk' && goesAlong(asked, path))
  const written = (one: Condition): Fragment => {
    const value = expression(dialect, table, one.path)
    return condition(dialect, table, one, isBound(one.path) ? value : free(value))
  }
  const isSorted = route.kind === 'field' || route.kind === 'words'

  return {
    from,
    bounds: [...holds, ...query.conditions.filter(({ path }) => isBound(path)).map(written)],
    tests: [
      ...query.conditions.filter(({ path }) => !isBound(path)).map(written),
      ...query.searchTerms.map((word) => dialect.contains(searchedText(dialect, table), word)),
    ],
    keys: keysOf(query.sort, (path) => {
      const value = expression(dialect, table, path)
      return isSorted ? free(value) : value
    }),
  }
}

function routeSource({ dialect, table, scope, query }: CompiledQuery, route: AccessPath): Source {
  if (route.kind === 'plain') return sourceOf(dialect, table, scope, query)
  const from = plain(table.sql)
  if (route.kind !== 'words') return { from, holds: scopeConditions(table, scope), table }
  const own = scopeConditions(table, scope, (column) => dialect.besidePlaces(column))
  const isFound =
    route.found === undefined
      ? dialect.isPlaceIn(route.searched.places)
      : isPlaceAmong(dialect, route.found)
  return { from, holds: [isFound, ...own], table }
}

/** True of the rows at some places. */
export function isPlaceAmong({ placesIn }: Dialect, places: readonly number[]): Fragment {
  return { sql: `place in ${placesIn}`, params: [JSON.stringify(places)] }
}

/** The routes by which an index could leave few rows, those that mostly leave fewest first. */
export function narrowRoutes(asked: CompiledQuery): readonly AccessPath[] {
  const { dialect, table, scope, query } = asked
  if (scope.members !== null) return []
  const paths = (indexesBegin(table, scope) ? query.conditions : [])
    .filter((one) => isServed(table, one))
    .toSorted((a, b) => Number(a.operator !== 'eq') - Number(b.operator !== 'eq'))
    .map(({ path }) => path)
  const fields = paths.filter((path, at) => paths.findIndex((one) => samePath(one, path)) === at)
  const searched =
    query.searchTerms.length === 0 ||
    scope.account === everyAccount ||
    table.unfinished?.search === true
      ? null
      : dialect.searched(table, scope.account, query.searchTerms)
  return [
    ...fields.map((path): AccessPath => ({ kind: 'field', path })),
    ...(searched === null ? [] : [{ kind: 'words', searched } as const]),
  ]
}

/** Whether the order alone, or with the only condition, is what an index has: there is nothing to choose. */
export function isStraight(asked: CompiledQuery): boolean {
  const { table, scope, query } = asked
  if (scope.members !== null) return true
  if (query.searchTerms.length > 0) return false
  if (!indexesBegin(table, scope)) return true
  if (!query.conditions.some((one) => isServed(table, one))) return true
  if (query.conditions.length === 1 && alternatives(table, query) !== null) return true
  return (
    query.conditions.every(({ path }) => goesAlong(asked, path)) && isInIndex(table, query.sort)
  )
}

/** Whether the scope gives the first columns of the indexes their values. */
function indexesBegin(table: Table, { account, parent }: Scope): boolean {
  if (table.nested && parent === null) return false
  return account !== everyAccount || table.collection.owned
}

/** Whether the index by which the order is walked has this field before, or as, its first sort key. */
function goesAlong({ table, query }: CompiledQuery, path: readonly string[]): boolean {
  const [first] = query.sort
  if (first === undefined) return false
  if (samePath(first.path, path)) return true
  if (!isId(first.path) || table.collection.owned) return false
  const along = query.conditions.find((one) => isServed(table, one) && isOneValue(one))
  return along !== undefined && samePath(along.path, path)
}

function isOneValue({ operator, values }: Condition): boolean {
  return operator === 'eq' && values.length === 1
}

/** Whether an index leads to the rows for which a condition holds. */
function isServed(table: Table, { path, operator, values }: Condition): boolean {
  if (!isId(path) && columnAt(table, path) === undefined) return false
  if (operator !== 'like') return operator !== 'ne'
  return typeof values[0] === 'string' && !values[0].startsWith('*')
}
