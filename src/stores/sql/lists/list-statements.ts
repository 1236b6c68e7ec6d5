import { everyAccount } from '../../../core/account.ts'
import type { Condition, Query, Scalar } from '../../../core/declaration/query.ts'
import type { CompiledQuery } from './cheap-query.ts'
import { comparedValue, condition, expression, searchedText } from './condition.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, anyOf, join, list, parameter, plain } from '../fragment.ts'
import {
  atMost,
  isInIndex,
  keysOf,
  orderBy,
  type OrderKey,
  type Segment,
  segmentsOf,
} from './order.ts'
import { type Scope, type Source, sourceOf } from '../tables/source.ts'
import { isSearchIndexed, type Table } from '../tables/table.ts'

/** Start of a page, and its maximum length. */
export type PageBounds = Pick<Query, 'start' | 'limit'>

/**
 * Returns the statement of a page, up to a row with the sort values `upTo` if they are given. Its columns:
 * doc, hidden, revision, id, parent, account.
 */
export function listStatement(
  compiled: CompiledQuery,
  bounds: PageBounds,
  upTo: readonly Scalar[] | null = null,
): Fragment {
  const { dialect, table, scope, query } = compiled
  const source = sourceOf(table, scope)
  const keys = keysOf(query.sort, (path) => expression(dialect, source.table, path))
  const holds = upTo === null ? [] : atMost(keys, upTo)
  const bounded = { ...source, holds: [...source.holds, ...holds] }
  return pageStatement(compiled, bounded, keys, bounds, columns(table, scope))
}

/** Returns the statement of the sort values of the page's row number `rows`. */
export function boundaryStatement(
  compiled: CompiledQuery,
  start: Query['start'],
  rows: number,
): Fragment {
  const { dialect, table, scope, query } = compiled
  const source = sourceOf(table, scope)
  const keys = keysOf(query.sort, (path) => expression(dialect, source.table, path))
  const values = keys.map(({ value }, at) => join`${value} as ${plain(`key_${at}`)}`)
  // Only conditions on the identifier, which bound the range of the index that the rows are in.
  const conditions = query.conditions.filter(({ path }) => path.join('.') === 'id')
  const unfiltered = { ...compiled, query: { sort: query.sort, conditions, searchTerms: [] } }
  const all = pageStatement(unfiltered, source, keys, { start, limit: rows }, list(values, ', '))
  const names = plain(keys.map((_, at) => `key_${at}`).join(', '))
  return join`select ${names} from (${all}) as rows_examined limit 1 offset ${parameter(rows - 1)}`
}

/** Returns the statement of the first and the last id among the rows of a query, and their number. */
export function idRangeStatement(compiled: CompiledQuery): Fragment {
  const source = sourceOf(compiled.table, compiled.scope)
  // With a count neither database walks the index of identifiers to find the first.
  return join`select min(id), max(id), count(*) from ${source.from}
    where ${allOf(predicates(compiled, source))}`
}

function pageStatement(
  compiled: CompiledQuery,
  source: Source,
  keys: readonly OrderKey[],
  { start, limit }: PageBounds,
  chosen: Fragment,
): Fragment {
  const { dialect, table, query } = compiled
  const segments = segmentsOf(keys, start, dialect.indexedNullsLast)
  const offset = 'offset' in start ? start.offset : 0
  const page = (most: number, skipped: number): Fragment =>
    join`limit ${parameter(most)} offset ${parameter(skipped)}`
  const rows = (segment: Segment): Fragment => segmentStatement(compiled, source, segment, chosen)

  const [first] = segments
  if (first !== undefined && segments.length === 1)
    return join`${rows(first)} ${page(limit, offset)}`
  if (isInIndex(table, query.sort)) {
    // Both databases run the parts in their order, each only if those before leave room on the page.
    const parts = segments.map(
      (segment, at) =>
        join`select * from (${rows(segment)} ${page(offset + limit, 0)}) as ${plain(`part_${at}`)}`,
    )
    return join`${list(parts, ' union all ')} ${page(limit, offset)}`
  }
  const where = [anyOf(segments.map((segment) => allOf(segment.where)))]
  return join`${rows({ where, keys })} ${page(limit, offset)}`
}

/** Returns the statement that counts the rows of a query. */
export function countStatement(compiled: CompiledQuery): Fragment {
  const source = sourceOf(compiled.table, compiled.scope)
  return join`select count(*) from ${source.from} where ${allOf(predicates(compiled, source))}`
}

function segmentStatement(
  compiled: CompiledQuery,
  source: Source,
  { where, keys }: Segment,
  chosen: Fragment,
): Fragment {
  const { table, scope } = compiled
  const holds = allOf([...predicates(compiled, source), ...where])
  const order = orderBy(keys, tieBreakers(table, scope))
  return join`select ${chosen} from ${source.from} where ${holds} order by ${order}`
}

function predicates(
  { dialect, query, isInterruptible = false }: CompiledQuery,
  { holds, table }: Source,
): readonly Fragment[] {
  const { interruption, contains, containsByIndex } = dialect
  const compared = (one: Condition): Fragment =>
    condition(dialect, table, one, comparedValue(dialect, table, one))
  const found = isSearchIndexed(table) ? (containsByIndex ?? contains) : contains
  return [
    ...holds,
    ...(isInterruptible && interruption !== null ? [plain(interruption)] : []),
    ...query.conditions.map(compared),
    ...(query.alternatives === undefined
      ? []
      : [anyOf(query.alternatives.map((group) => allOf(group.map(compared))))]),
    ...query.searchTerms.map((word) => found(searchedText(dialect, table), word)),
  ]
}

/** Parent and account are read only if they differ within a page. */
function columns(table: Table, scope: Scope): Fragment {
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
