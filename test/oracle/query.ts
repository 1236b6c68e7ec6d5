import type { Collection } from '../../src/core/declaration/collection.ts'
import type { JsonValue } from '../../src/core/json.ts'
import type {
  Condition,
  Operator,
  Query,
  Scalar,
  SortKey,
} from '../../src/core/declaration/query.ts'
import type { RowFilter } from '../../src/core/ports/store.ts'
import { fieldAt, valueAt } from '../../src/stores/field-at.ts'
import { patternMatcher } from '../../src/stores/sqlite/open-file.ts'
import { searchText } from '../../src/stores/search-text.ts'
import { compareText, compareValues } from './compare.ts'
import type { InstanceRow } from './state.ts'

/** The rows that a query wants, in its order: a page of them. */
export function page(
  collection: Collection,
  rows: readonly InstanceRow[],
  query: Query,
): readonly InstanceRow[] {
  const { sort, start, limit } = query
  const sorted = filtered(collection, rows, query).toSorted((a, b) =>
    compareRows(collection, sort, a, b),
  )
  if ('offset' in start) return sorted.slice(start.offset, start.offset + limit)
  return sorted
    .filter((row) => compareTuples(sort, sortValues(collection, sort, row), start.after) > 0)
    .slice(0, limit)
}

/** The rows for which all conditions hold and in which all words occur. */
export function filtered(
  collection: Collection,
  rows: readonly InstanceRow[],
  { conditions, alternatives = [[]], searchTerms: words }: RowFilter,
): readonly InstanceRow[] {
  const testOf = (condition: Condition) => ({ path: condition.path, holds: test(condition) })
  const tests = conditions.map(testOf)
  const groups = alternatives.map((group) => group.map(testOf))
  return rows.filter((row) => {
    const text = words.length === 0 ? null : searchText(collection, row.instance)
    const passes = ({ path, holds }: ReturnType<typeof testOf>): boolean =>
      holds(fieldValue(collection, row, path))
    return (
      tests.every(passes) &&
      groups.some((group) => group.every(passes)) &&
      words.every((word) => text?.includes(word) === true)
    )
  })
}

/** Makes the test of a condition for the values of its field. A pattern is compiled once. */
function test(condition: Condition): (value: JsonValue) => boolean {
  const { operator, values } = condition
  if (operator !== 'like') return (value) => holds(operator, values, value)
  const [pattern] = values
  if (typeof pattern !== 'string') return () => false
  const matches = patternMatcher(pattern)
  return (value) => typeof value === 'string' && matches(value)
}

/** Tells if a comparison holds for the value of its field. */
function holds(
  operator: Exclude<Operator, 'like'>,
  values: readonly Scalar[],
  value: JsonValue,
): boolean {
  const isEqual = (wanted: Scalar): boolean => equals(value, wanted)
  if (operator === 'eq') return values.some(isEqual)
  if (value === null) return false
  if (operator === 'ne') return !values.some(isEqual)

  const wanted = values[0] ?? null
  const order = compareValues(value, wanted)
  if (order === null) return false
  switch (operator) {
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
  }
}

function equals(value: JsonValue, wanted: Scalar): boolean {
  if (Array.isArray(value)) return value.includes(wanted)
  return value === wanted
}

function compareRows(
  collection: Collection,
  sort: readonly SortKey[],
  a: InstanceRow,
  b: InstanceRow,
): number {
  return (
    compareTuples(sort, sortValues(collection, sort, a), sortValues(collection, sort, b)) ||
    compareText(a.stored.parent ?? '', b.stored.parent ?? '') ||
    compareText(a.stored.account, b.stored.account)
  )
}

function sortValues(
  collection: Collection,
  sort: readonly SortKey[],
  row: InstanceRow,
): readonly JsonValue[] {
  return sort.map(({ path }) => fieldValue(collection, row, path))
}

/** Nulls come last in both directions. */
function compareTuples(
  sort: readonly SortKey[],
  a: readonly JsonValue[],
  b: readonly JsonValue[],
): number {
  for (const [index, { direction }] of sort.entries()) {
    const left = a[index] ?? null
    const right = b[index] ?? null
    if (left === null && right === null) continue
    if (left === null) return 1
    if (right === null) return -1
    const order = compareValues(left, right) ?? 0
    if (order !== 0) return direction === 'asc' ? order : -order
  }
  return 0
}

/** The value of a field in a row; null where there is none. */
export function fieldValue(
  collection: Collection,
  row: InstanceRow,
  path: readonly string[],
): JsonValue {
  const { source } = fieldAt(collection, path)
  return valueAt(source === 'doc' ? row.instance : row.hidden, path)
}
