import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { InputError } from '../../core/problem.ts'
import type { Scalar, SortKey } from '../../core/query.ts'
import { isJsonObject } from '../../core/json.ts'
import { common, type Compiled } from '../compiled.ts'
import { findField } from './field-path.ts'

/**
 * Writes where a page ended: the sort keys and the last instance's values for them. It names values
 * only, so whoever sends it sees no more with it than a filter would show.
 */
export function writeCursor(sort: readonly SortKey[], last: JsonObject): string {
  const values = sort.map((key) => scalarAt(last, key.path))
  return Buffer.from(JSON.stringify([signature(sort), ...values])).toString('base64url')
}

/** Reads a cursor that goes with this sort, or notes that it does not. */
export function readCursor(
  compiled: Compiled,
  text: string,
  sort: readonly SortKey[],
  errors: InputError[],
): readonly Scalar[] | null {
  const parsed = parse(text)
  if (parsed !== null && parsed[0] === signature(sort) && parsed.length === sort.length + 1) {
    const values = parsed.slice(1)
    if (
      values.every(isScalar) &&
      values.every((value, index) => fits(compiled, sort[index], value))
    )
      return values
  }
  errors.push({
    parameter: 'after',
    detail: 'must be the cursor of a Link with rel="next", with the same sort',
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

function signature(sort: readonly SortKey[]): string {
  return sort.map((key) => `${key.path.join('.')}_${key.direction}`).join(',')
}

function scalarAt(instance: JsonObject, path: readonly string[]): Scalar {
  let value: JsonValue | undefined = instance
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  return isScalar(value) ? value : null
}

/** What a field can never hold stands in no cursor that was given out. */
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
