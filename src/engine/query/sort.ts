import type { InputError } from '../../core/problem.ts'
import type { SortKey, Scalar } from '../../core/declaration/query.ts'
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/json.ts'
import { type Compiled, common } from '../compiled.ts'
import { findField, refusalOf } from './filter-parameters.ts'

/** More keys than this do not order anything further. */
const keysMax = 8

/**
 * Reads `sort=<field>_asc,<field>_desc`, repeated or separated by commas. Without it the collection's
 * own order holds. The last key is always `id`: the order is total.
 */
export function readSort(
  compiled: Compiled,
  values: readonly string[],
  errors: InputError[],
): readonly SortKey[] {
  if (values.length === 0) return defaultSort(compiled)
  const keys: SortKey[] = []
  for (const part of values.flatMap((value) => value.split(','))) {
    const match = /^(.+)_(asc|desc)$/.exec(part.trim())
    const found = match === null ? null : findField(compiled, match[1] ?? '')
    if (match === null || found === null) {
      errors.push({
        parameter: 'sort',
        detail: `${quoted(part)} must be a field with _asc or _desc`,
      })
    } else if ('refusal' in found) {
      const [, name = ''] = match
      const refusal = refusalOf(compiled, name, found.refusal, { faults: errors.length })
      errors.push({ parameter: 'sort', detail: `${quoted(name)} ${refusal}` })
    } else if (['object', 'map', 'array'].includes(found.field.kind)) {
      errors.push({ parameter: 'sort', detail: `${quoted(match[1] ?? '')} has no order` })
    } else if (!keys.some((key) => samePath(key.path, found.path))) {
      keys.push({ path: found.path, direction: match[2] === 'desc' ? 'desc' : 'asc' })
    }
  }
  if (keys.length > keysMax)
    errors.push({ parameter: 'sort', detail: `has at most ${keysMax} keys` })
  return endWithId(keys)
}

const newestFirst: readonly SortKey[] = [{ path: ['id'], direction: 'desc' }]
const oldestFirst: readonly SortKey[] = [
  { path: ['createdAt'], direction: 'asc' },
  { path: ['id'], direction: 'asc' },
]

function defaultSort(compiled: Compiled): readonly SortKey[] {
  return compiled.declared.order === 'newestFirst' ? newestFirst : oldestFirst
}

/** Returns whether a sort is the default order of a collection. */
export function isDefaultSort(compiled: Compiled, sort: readonly SortKey[]): boolean {
  return JSON.stringify(sort) === JSON.stringify(defaultSort(compiled))
}

/** Ends a sort with `id`: later keys decide nothing. */
function endWithId(keys: readonly SortKey[]): readonly SortKey[] {
  const at = keys.findIndex((key) => samePath(key.path, ['id']))
  return at === -1 ? [...keys, { path: ['id'], direction: 'asc' }] : keys.slice(0, at + 1)
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function quoted(text: string): string {
  return JSON.stringify(text.trim())
}

/** The direction of a cursor: to the instances after or before the one that it names. */
export type CursorDirection = 'ON' | 'BACK'

/** A cursor, read: the values of the sort keys of the instance that it names. */
export interface Cursor {
  readonly values: readonly Scalar[]
  readonly way: CursorDirection
}

/**
 * Encodes the end or the start of a page: the sort keys and that instance's values for them. It
 * contains values only, so a client that changes it sees no more than with a filter.
 */
export function writeCursor(
  sort: readonly SortKey[],
  at: JsonObject,
  way: CursorDirection = 'ON',
): string {
  const values = sort.map((key) => scalarAt(at, key.path))
  return Buffer.from(JSON.stringify([begin(sort, way), ...values])).toString('base64url')
}

/**
 * Returns whether pages in this order can be read backwards. Nulls come last in both directions, so
 * no sort key may be null.
 */
export function leadsBack(compiled: Compiled, sort: readonly SortKey[]): boolean {
  return sort.every(({ path }) => {
    const [name = '', ...rest] = path
    if (rest.length > 0) return false
    if (Object.hasOwn(common, name)) return true
    const field = compiled.declared.fields[name]
    if (field === undefined || field.nullable === true || field.readOnly === true) return false
    return field.required === true || (field.default ?? null) !== null
  })
}

/** Returns the reversed order. */
export function reversed(sort: readonly SortKey[]): readonly SortKey[] {
  return sort.map(({ path, direction }) => ({
    path,
    direction: direction === 'asc' ? 'desc' : 'asc',
  }))
}

/** Reads a cursor for this sort, or notes that it belongs to another one. */
export function readCursor(
  compiled: Compiled,
  text: string,
  sort: readonly SortKey[],
  errors: InputError[],
): Cursor | null {
  const parsed = parse(text)
  const way = ways.find((each) => parsed?.[0] === begin(sort, each))
  if (parsed !== null && way !== undefined && parsed.length === sort.length + 1) {
    const values = parsed.slice(1)
    if (
      values.every(isScalar) &&
      values.every((value, index) => fits(compiled, sort[index], value))
    )
      return { values, way }
  }
  errors.push({
    parameter: 'after',
    detail: 'must be the cursor of a Link with rel="next" or "prev", with the same sort',
  })
  return null
}

function parse(text: string): readonly JsonValue[] | null {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const ways: readonly CursorDirection[] = ['ON', 'BACK']

function begin(sort: readonly SortKey[], way: CursorDirection): string {
  return way === 'ON' ? signature(sort) : `<${signature(sort)}`
}

function signature(sort: readonly SortKey[]): string {
  return sort.map((key) => `${key.path.join('.')}_${key.direction}`).join(',')
}

function scalarAt(instance: JsonObject, path: readonly string[]): Scalar {
  let value: JsonValue | undefined = instance
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  return isScalar(value) ? value : null
}

/** Returns whether a field can hold a value of a cursor. The service encodes no other values. */
function fits(compiled: Compiled, key: SortKey | undefined, value: Scalar): boolean {
  const found = findField(compiled, key?.path.join('.') ?? '')
  if ('refusal' in found) return false
  if (value === null)
    return !(found.path.length === 1 && Object.hasOwn(common, found.path[0] ?? ''))
  const { kind } = found.field
  if (kind === 'boolean') return typeof value === 'boolean'
  if (kind === 'integer' || kind === 'number') return Number.isFinite(value)
  return typeof value === 'string'
}

function isScalar(value: JsonValue | undefined): value is Scalar {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  return value === null || typeof value === 'number' || typeof value === 'boolean'
}
