import { everyAccount } from '../../core/account.ts'
import type { Filter } from '../../core/store.ts'
import type { Dialect, Fragment } from './dialect.ts'
import { allOf, join, parameter, plain } from './fragment.ts'
import { type Key, orderBy, type Segment } from './order.ts'
import { type Asked, narrowRoutes, type Route, type Scope, type Way, wayOf } from './route.ts'
import type { Table } from './table.ts'

/** What a statement gives of each row: all that is listed, or its place in the table alone. */
export type Chosen = 'rows' | 'places'

/** The statement that gives the rows of a segment in its order, without a limit. */
export function segmentStatement(
  { table, scope }: Asked,
  { bounds, tests }: Way,
  { where, keys }: Segment,
  chosen: Chosen,
): Fragment {
  const columns = chosen === 'rows' ? listedColumns(table, scope) : plain('place')
  const holds = allOf([...bounds, ...where, ...tests])
  const order = orderBy(keys, tieBreakers(table, scope))
  return join`select ${columns} from ${plain(table.sql)} where ${holds} order by ${order}`
}

/** The statement that tests the first rows of a segment, so many at most, and gives the places of those that pass. */
export function walkStatement(asked: Asked, way: Way, segment: Segment, rows: number): Fragment {
  const { table, scope } = asked
  const holds = allOf([...way.bounds, ...segment.where])
  const order = orderBy(segment.keys, tieBreakers(table, scope))
  return join`
    select place from (
      select place, ${allOf(way.tests)} as passes from ${plain(table.sql)}
      where ${holds} order by ${order} limit ${parameter(rows)})
    where passes`
}

/** The statement that finds whether a segment has more rows than a walk has tested. */
export function beyondStatement(asked: Asked, way: Way, segment: Segment, rows: number): Fragment {
  const untested = segmentStatement(asked, { ...way, tests: [] }, segment, 'places')
  return join`${untested} limit 1 offset ${parameter(rows)}`
}

/** The statement that gives the next value of a key within a segment. */
export function nextValueStatement(
  { table }: Asked,
  { bounds }: Way,
  { where }: Segment,
  { value, direction }: Key,
): Fragment {
  const holds = allOf([...bounds, ...where])
  const order = join`${value} ${plain(direction)}`
  return join`select ${value} from ${plain(table.sql)} where ${holds} order by ${order} limit 1`
}

/** The statement that counts the rows to which a route leads, no further than to `most`. */
export function probeStatement(asked: Asked, route: Route, most: number): Fragment {
  const { table } = asked
  const found =
    route.kind === 'words'
      ? join`select 1 from (${route.searched.places})`
      : join`select 1 from ${plain(table.sql)} where ${allOf(wayOf(asked, route).bounds)}`
  return join`select count(*) from (${found} limit ${parameter(most)})`
}

/** The statement that gives the rows at the places in a list of JSON, each with its place. */
export function rowsStatement(table: Table, scope: Scope): string {
  const { sql } = listedColumns(table, scope)
  return `select ${sql}, place from ${table.sql} where place in (select value from json_each(?))`
}

/** The statement that counts. */
export function countStatement(
  dialect: Dialect,
  table: Table,
  scope: Scope,
  { conditions, words }: Filter,
): Fragment {
  const asked: Asked = { dialect, table, scope, query: { conditions, words, sort: [] } }
  const routes = narrowRoutes(asked)
  const byField = routes.some(({ kind }) => kind === 'field')
  const byWords = routes.find(({ kind }) => kind === 'words')
  const route = byField || byWords === undefined ? ({ kind: 'plain' } as const) : byWords
  const { bounds, tests } = wayOf(asked, route)
  return join`select count(*) from ${plain(table.sql)} where ${allOf([...bounds, ...tests])}`
}

/** The texts and the id; then the parent and the account, where they are not the same for the whole page. */
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
