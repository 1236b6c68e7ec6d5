import type { Query, Scalar, SortKey } from '../../../core/declaration/query.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, join, list, parameter, plain } from '../fragment.ts'
import { type Column, columnAt, sqlValue, type Table } from '../tables/table.ts'

/** One key of an order, as SQL. */
export interface OrderKey {
  readonly value: Fragment
  readonly direction: SortKey['direction']
  readonly nullable: boolean
}

/** A part of an order: the rows for which `where` holds, by the keys. */
export interface Segment {
  readonly where: readonly Fragment[]
  readonly keys: readonly OrderKey[]
}

/** The keys of an order; `expressionOf` writes the value at a path. */
export function keysOf(
  sort: readonly SortKey[],
  expressionOf: (path: readonly string[]) => Fragment,
): readonly OrderKey[] {
  return sort.map(({ path, direction }) => ({
    value: expressionOf(path),
    direction,
    nullable: !(path.length === 1 && neverNull.includes(path[0] ?? '')),
  }))
}

/**
 * Returns the parts of an order from the start of a page, each continuing the one before. After an
 * instance the rows that share all its sort values but the last come first, then those that share all
 * but the last two, and so on. Each is a range of an index that begins with the first sort key, so the
 * cost does not grow with depth. `indexedNullsLast` lists the directions in which an index returns
 * nulls last.
 */
export function segmentsOf(
  keys: readonly OrderKey[],
  start: Query['start'],
  indexedNullsLast: readonly SortKey['direction'][],
): readonly Segment[] {
  if ('offset' in start) {
    const [first, ...others] = keys
    if (first?.nullable !== true || indexedNullsLast.includes(first.direction)) {
      return [{ where: [], keys }]
    }
    return [
      {
        where: [join`${first.value} is not null`],
        keys: [{ ...first, nullable: false }, ...others],
      },
      { where: [join`${first.value} is null`], keys: others },
    ]
  }
  return keys.flatMap((_, index) => behindAt(keys, start.after, keys.length - 1 - index))
}

/** Returns what holds for the rows up to one with these values; no key may be null. */
export function atMost(keys: readonly OrderKey[], values: readonly Scalar[]): readonly Fragment[] {
  const [key, ...later] = keys
  if (key === undefined) return []
  const value = parameter(sqlValue(values[0] ?? null))
  const sign = key.direction === 'asc' ? '<' : '>'
  const bound = join`${key.value} ${plain(`${sign}=`)} ${value}`
  if (later.length === 0) return [bound]
  const rest = allOf(atMost(later, values.slice(1)))
  return [bound, join`(${key.value} ${plain(sign)} ${value} or (${rest}))`]
}

/** Writes the keys of `order by`. */
export function orderBy(keys: readonly OrderKey[], more: readonly Fragment[]): Fragment {
  return list([...keys.map(ordered), ...more], ', ')
}

/** Returns true if an index has this order, except among rows with the same first value. */
export function isInIndex(table: Table, sort: readonly SortKey[]): boolean {
  const [first] = sort
  return first !== undefined && (isId(first.path) || orderedColumn(table, first.path) !== null)
}

/** The column by which an index has the rows of a list in order. */
function orderedColumn(table: Table, path: readonly string[]): Column | null {
  const column = columnAt(table, path)
  // The index of a reference in a nested collection covers all parents.
  return column === undefined || (table.nested && column.kind === 'reference') ? null : column
}

/** Returns true if a path leads to the identifier. */
function isId(path: readonly string[]): boolean {
  return path.length === 1 && path[0] === 'id'
}

const neverNull: readonly string[] = ['id', 'createdAt', 'updatedAt']

function ordered({ value, direction, nullable }: OrderKey): Fragment {
  return join`${value} ${plain(nullable ? `${direction} nulls last` : direction)}`
}

/** Selects rows with the same sort values before `depth` and a later one at it. */
function behindAt(
  keys: readonly OrderKey[],
  after: readonly Scalar[],
  depth: number,
): readonly Segment[] {
  const key = keys[depth]
  const value = after[depth] ?? null
  if (key === undefined || value === null) return []
  const same = keys.slice(0, depth).map((one, index) => isSame(one, after[index] ?? null))
  const later = keys.slice(depth + 1)
  const sign = plain(key.direction === 'asc' ? '>' : '<')
  const present: Segment = {
    where: [...same, join`${key.value} ${sign} ${parameter(sqlValue(value))}`],
    keys: [{ ...key, nullable: false }, ...later],
  }
  const absent: Segment = { where: [...same, join`${key.value} is null`], keys: later }
  return key.nullable ? [present, absent] : [present]
}

function isSame(key: OrderKey, value: Scalar): Fragment {
  return value === null
    ? join`${key.value} is null`
    : join`${key.value} = ${parameter(sqlValue(value))}`
}
