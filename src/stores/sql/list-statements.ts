import { everyAccount } from '../../core/account.ts'
import type { Query, Scalar, SortKey } from '../../core/query.ts'
import type { Filter } from '../../core/store.ts'
import { alternatives } from './alternatives.ts'
import { condition, expression } from './condition.ts'
import type { Dialect, Fragment } from './dialect.ts'
import { allOf, join, list, parameter, plain } from './fragment.ts'
import { type Scope, sourceOf } from './source.ts'
import { sqlValue, type Table } from './table.ts'
import { addedAt } from './unfinished.ts'

/**
 * The statements that give a page, without their limits: each goes on where the one before ends.
 * An offset needs one. Behind an instance come first those that share all its sort values but the
 * last, then those that share all but the last two, and so on: each is a range of an index that
 * begins with the first sort key, so its price does not grow with depth.
 */
export function pageStatements(
  dialect: Dialect,
  table: Table,
  scope: Scope,
  query: Query,
): readonly Fragment[] {
  const source = sourceOf(dialect, table, scope, query)
  const keys = query.sort.map((key) => sortKey(dialect, source.table, key))
  const holds = [...source.holds, ...filter(dialect, source.table, query)]
  const chosen = chosenColumns(table, scope)
  const page = ({ where, order }: Segment): Fragment => {
    const conditions = allOf([...holds, ...where])
    const total = list([...order, ...tieBreakers(table, scope)], ', ')
    return join`select ${chosen} from ${source.from} where ${conditions} order by ${total}`
  }

  const parts = isOneList(table, scope) ? alternatives(table, query) : null
  if (parts !== null) return [merged(dialect, table, scope, query, parts)]
  if ('after' in query.start) return behind(keys, query.start.after).map(page)
  return [page({ where: [], order: keys.map(ordered) })]
}

/** Whether the scope is one account, and one parent: then it has each id once. */
export function isOneList(table: Table, { account, parent }: Scope): boolean {
  return account !== everyAccount && (!table.nested || parent !== null)
}

/** The pages of several queries by id, as one in the order of ids, which is their fourth column. */
function merged(
  dialect: Dialect,
  table: Table,
  scope: Scope,
  query: Query,
  parts: readonly Query[],
): Fragment {
  const limit = query.limit + ('offset' in query.start ? query.start.offset : 0)
  const pages = parts
    .flatMap((part) => pageStatements(dialect, table, scope, part))
    .map((page, at) => {
      const name = plain(`part_${at}`)
      return join`select * from (${page} limit ${parameter(limit)}) as ${name}`
    })
  const order = plain(`4 ${query.sort[0]?.direction ?? 'asc'}`)
  return join`${list(pages, ' union all ')} order by ${order}`
}

/** The statement that counts. */
export function countStatement(
  dialect: Dialect,
  table: Table,
  scope: Scope,
  asked: Filter,
): Fragment {
  const source = sourceOf(dialect, table, scope, asked)
  const holds = allOf([...source.holds, ...filter(dialect, source.table, asked)])
  return join`select count(*) from ${source.from} where ${holds}`
}

interface Key {
  readonly value: Fragment
  readonly direction: SortKey['direction']
  readonly nullable: boolean
}

interface Segment {
  readonly where: readonly Fragment[]
  readonly order: readonly Fragment[]
}

/** The texts and the id; then the parent and the account, where they are not the same for the whole page. */
function chosenColumns(table: Table, scope: Scope): Fragment {
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

function filter(
  dialect: Dialect,
  table: Table,
  { conditions, words }: Filter,
): readonly Fragment[] {
  return [
    ...conditions.map((one) => condition(dialect, table, one)),
    ...words.map((word) => dialect.contains(searched(dialect, table), word)),
  ]
}

/** Until the searched texts are those of the fields that are searched now, they are made at each search. */
function searched(dialect: Dialect, { collection, unfinished }: Table): Fragment {
  if (unfinished?.search !== true) return plain('search')
  const text = collection.searchedBy.reduce((source, name) => {
    const value = addedAt(unfinished, [name])?.value ?? null
    return value === null ? source : dialect.withMember(source, [name], JSON.stringify(value))
  }, 'doc')
  return dialect.searchText(text, collection.searchedBy)
}

function sortKey(dialect: Dialect, table: Table, { path, direction }: SortKey): Key {
  const nullable = !(path.length === 1 && neverNull.includes(path[0] ?? ''))
  return { value: expression(dialect, table, path), direction, nullable }
}

const neverNull: readonly string[] = ['id', 'createdAt', 'updatedAt']

function ordered({ value, direction, nullable }: Key): Fragment {
  return join`${value} ${plain(nullable ? `${direction} nulls last` : direction)}`
}

function behind(keys: readonly Key[], after: readonly Scalar[]): readonly Segment[] {
  return keys.flatMap((_, index) => {
    const depth = keys.length - 1 - index
    return behindAt(keys, after, depth)
  })
}

/** Those that share the sort values before `depth` and come later by the one at it. */
function behindAt(
  keys: readonly Key[],
  after: readonly Scalar[],
  depth: number,
): readonly Segment[] {
  const key = keys[depth]
  const value = after[depth] ?? null
  if (key === undefined || value === null) return []
  const same = keys.slice(0, depth).map((one, index) => isSame(one, after[index] ?? null))
  const later = keys.slice(depth + 1).map(ordered)
  const sign = plain(key.direction === 'asc' ? '>' : '<')
  const present: Segment = {
    where: [...same, join`${key.value} ${sign} ${parameter(sqlValue(value))}`],
    order: [join`${key.value} ${plain(key.direction)}`, ...later],
  }
  const absent: Segment = { where: [...same, join`${key.value} is null`], order: later }
  return key.nullable ? [present, absent] : [present]
}

function isSame(key: Key, value: Scalar): Fragment {
  return value === null
    ? join`${key.value} is null`
    : join`${key.value} = ${parameter(sqlValue(value))}`
}
