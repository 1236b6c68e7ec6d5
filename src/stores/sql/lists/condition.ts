import type { Field } from '../../../core/declaration/field.ts'
import type { Condition, Operator, Scalar } from '../../../core/declaration/query.ts'
import { fieldAt } from '../../field-at.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, anyOf, join, never, parameter, plain } from '../fragment.ts'
import { columnAt, columnFor, sqlValue, type Table, textSource } from '../tables/table.ts'
import { addedAt } from '../declarations/unfinished.ts'

/** Returns the value of a field in a row: from its column if it has one, else from the JSON text. */
export function expression(dialect: Dialect, table: Table, path: readonly string[]): Fragment {
  if (path.length === 1 && path[0] === 'id') return plain(table.id)
  const column = columnAt(table, path)
  if (column !== undefined) return plain(column.sql)
  return dialect.jsonValue(
    textWith(dialect, table, path),
    path,
    fieldAt(table.collection, path).kind,
  )
}

/** The value that a condition compares. A column with few of the values serves conditions on those. */
export function comparedValue(dialect: Dialect, table: Table, asked: Condition): Fragment {
  const { path, operator, values } = asked
  const column = operator === 'eq' ? columnFor(table, path, values) : undefined
  return column === undefined || column.only === null
    ? expression(dialect, table, path)
    : plain(column.sql)
}

/** The text in which a path is looked up. A field that it lacks, being older, has its default. */
function textWith(dialect: Dialect, table: Table, path: readonly string[]): string {
  const { source } = fieldAt(table.collection, path)
  const text = textSource(dialect, table.collection, source)
  const added = source === 'doc' ? addedAt(table.unfinished, path) : null
  if (added === null || added.value === null) return text
  return dialect.withMember(text, added.path, JSON.stringify(added.value))
}

/**
 * Returns a condition of a query as SQL. It holds for the same rows as in `core/declaration/query.ts`.
 * `value` is the SQL expression of the field's value.
 */
export function condition(
  dialect: Dialect,
  table: Table,
  asked: Condition,
  value: Fragment,
): Fragment {
  const { kind, elements } = fieldAt(table.collection, asked.path)
  if (kind === 'array') {
    return onArray(dialect, textWith(dialect, table, asked.path), elements, value, asked)
  }
  if (kind === 'object' || kind === 'map') return onObject(value, asked)

  const comparable = asked.values.filter((candidate) => isOfKind(kind, candidate))
  const first = asked.values.slice(0, 1).find((candidate) => isOfKind(kind, candidate))
  switch (asked.operator) {
    case 'eq':
      return anyOf([...isNull(value, asked), ...isAmong(dialect, value, comparable, 'in')])
    case 'ne':
      return allOf([join`${value} is not null`, ...isAmong(dialect, value, comparable, 'not in')])
    case 'like':
      return typeof first === 'string' ? like(dialect, value, first) : never
    default:
      return first === undefined
        ? never
        : join`${value} ${plain(comparisons[asked.operator])} ${parameter(sqlValue(first))}`
  }
}

/**
 * Returns the text that a search examines. While stored texts are those of other fields, each search builds
 * its text.
 */
export function searchedText(dialect: Dialect, { collection, unfinished }: Table): Fragment {
  if (unfinished?.search !== true) return plain('search')
  const text = collection.searchedBy.reduce(
    (source, name) => {
      const value = addedAt(unfinished, [name])?.value ?? null
      return value === null ? source : dialect.withMember(source, [name], JSON.stringify(value))
    },
    textSource(dialect, collection, 'doc'),
  )
  return dialect.searchText(text, collection.searchedBy)
}

/** Comparison operators in SQL. */
const comparisons: Readonly<Record<Exclude<Operator, 'eq' | 'ne' | 'like'>, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
}

function onArray(
  dialect: Dialect,
  source: string,
  elements: Field['kind'] | null,
  value: Fragment,
  asked: Condition,
): Fragment {
  if (asked.operator !== 'eq' && asked.operator !== 'ne') return never
  const comparable = asked.values.filter((candidate) => isOfKind(elements, candidate))
  const found = [
    ...(comparable.length === 0
      ? []
      : [dialect.hasElement(source, asked.path, comparable.map(sqlValue))]),
    ...(asked.values.includes(null) ? [dialect.hasNullElement(source, asked.path)] : []),
  ]
  if (asked.operator === 'eq') return anyOf([...isNull(value, asked), ...found])
  return allOf([join`${value} is not null`, ...found.map((piece) => join`not ${piece}`)])
}

/** An object equals no single value. */
function onObject(value: Fragment, asked: Condition): Fragment {
  if (asked.operator === 'eq') return anyOf(isNull(value, asked))
  return asked.operator === 'ne' ? join`${value} is not null` : never
}

function isNull(value: Fragment, asked: Condition): readonly Fragment[] {
  return asked.values.includes(null) ? [join`${value} is null`] : []
}

function isAmong(
  dialect: Dialect,
  value: Fragment,
  values: readonly Scalar[],
  test: 'in' | 'not in',
): readonly Fragment[] {
  const [first] = values
  if (values.length === 1 && first !== undefined) {
    const sign = plain(test === 'in' ? '=' : '<>')
    return [join`${value} ${sign} ${parameter(sqlValue(first))}`]
  }
  if (values.length === 0) return []
  const among = dialect.among(value, values.map(sqlValue))
  return [test === 'in' ? among : join`not (${among})`]
}

/** A pattern with a literal beginning is asked for as a range, which an index can serve. */
function like(dialect: Dialect, value: Fragment, pattern: string): Fragment {
  const [first = '', ...others] = pattern.replace(/\*+/g, '*').split('*')
  const [second = '', third] = others
  if (others.length === 0) return join`${value} = ${parameter(pattern)}`
  if (first === '' && second === '' && third === undefined) return join`${value} is not null`
  if (first === '' && third === '') return dialect.contains(value, second)

  const end = textAfter(first)
  const prefixOnly = end !== null && second === '' && third === undefined
  return allOf([
    ...(first === '' ? [] : [join`${value} >= ${parameter(first)}`]),
    ...(end === null ? [] : [join`${value} < ${parameter(end)}`]),
    ...(prefixOnly ? [] : [dialect.like(value, pattern)]),
  ])
}

/** Returns the least text that is greater than all with a prefix, by code point; null if it is not simple. */
function textAfter(prefix: string): string | null {
  const last = [...prefix].at(-1)?.codePointAt(0)
  // 0xd7ff is followed by the surrogates, which are no characters, 0x10ffff by nothing.
  if (last === undefined || last === 0xd7ff || last === 0x10ffff) return null
  const kept = [...prefix].slice(0, -1).join('')
  return kept + String.fromCodePoint(last + 1)
}

function isOfKind(kind: Field['kind'] | null, value: Scalar): boolean {
  switch (kind) {
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'text':
    case 'timestamp':
    case 'choice':
    case 'reference':
      return typeof value === 'string'
    default:
      return false
  }
}
