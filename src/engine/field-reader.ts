import type { Field, Fields, TextField } from '../core/declaration/field.ts'
import { formats } from '../core/declaration/format.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import { parseTimestamp, timestamp } from '../core/timestamp.ts'
import { unknownField } from '../core/declaration/nearest.ts'
import { compilePattern, type CompiledPattern } from '../core/pattern.ts'

/** Reads a value at a JSON Pointer. Returns it normalised, or notes the fault and returns null. */
export type ValueReader = (value: JsonValue, pointer: string, errors: InputError[]) => JsonValue

/**
 * Prepares the check of a field, once, so that a request only walks closures.
 * A null is refused here unless the field is nullable; an absent value is the caller's business.
 */
export function fieldReader(field: Field): ValueReader {
  const read = kindReader(field)
  const { nullable = false } = field
  return (value, pointer, errors) => {
    if (value !== null) return read(value, pointer, errors)
    if (!nullable) errors.push({ pointer, detail: 'must not be null' })
    return null
  }
}

/** Escapes a name as a token of a JSON Pointer (RFC 6901 section 3). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function kindReader(field: Field): ValueReader {
  switch (field.kind) {
    case 'text':
      return textReader(field)
    case 'reference':
      return textReader({ kind: 'text', minLength: 1, maxLength: 64 })
    case 'integer':
    case 'number':
      return numberReader(field.kind === 'integer', field.minimum, field.maximum)
    case 'boolean':
      return (value, pointer, errors) =>
        typeof value === 'boolean' ? value : wrongKind('true or false', value, pointer, errors)
    case 'timestamp':
      return readTimestamp
    case 'choice':
      return choiceReader(field.enum)
    case 'object':
      return objectReader(field.properties, field.open)
    case 'array':
      return arrayReader(fieldReader(field.items), field)
    case 'map':
      return mapReader(fieldReader(field.values), field.maxProperties)
  }
}

function textReader(field: TextField): ValueReader {
  const { minLength = 0, maxLength = Infinity } = field
  const fitsPattern = field.pattern === undefined ? null : patternTest(field.pattern)
  const mismatch =
    field.form === undefined ? `must match ${field.pattern}` : `must be ${field.form}`
  const format = field.format === undefined ? null : formats[field.format]
  return (value, pointer, errors) => {
    if (typeof value !== 'string') return wrongKind('a text', value, pointer, errors)
    const length = value.length > minLength * 2 && value.length <= maxLength ? null : points(value)
    if (length !== null && length < minLength) {
      return fault(`must have at least ${count(minLength, 'character')}`, pointer, errors)
    }
    if (length !== null && length > maxLength) {
      return fault(
        `must have at most ${count(maxLength, 'character')}, has ${length}`,
        pointer,
        errors,
      )
    }
    if (fitsPattern !== null && !fitsPattern(value)) {
      return fault(mismatch, pointer, errors)
    }
    if (format === null) return value
    const formatted = format.read(value)
    return formatted.ok ? formatted.text : fault(formatted.detail, pointer, errors)
  }
}

/** Compiles the pattern at the first value: most services never receive one for a built-in pattern. */
function patternTest(source: string): (text: string) => boolean {
  let compiled: CompiledPattern | undefined
  return (text) => (compiled ??= compilePattern(source)).matches(text)
}

function numberReader(whole: boolean, minimum = -Infinity, maximum = Infinity): ValueReader {
  const kind = whole ? 'a whole number' : 'a number'
  // Beyond these a double does not hold every whole number (RFC 8259 section 6).
  const least = whole ? Math.max(minimum, Number.MIN_SAFE_INTEGER) : minimum
  const most = whole ? Math.min(maximum, Number.MAX_SAFE_INTEGER) : maximum
  return (value, pointer, errors) => {
    // JSON can write numbers that are too large for a double: parsed, they are infinite.
    const isFit = whole ? Number.isInteger(value) : Number.isFinite(value)
    if (typeof value !== 'number' || !isFit) {
      return wrongKind(kind, value, pointer, errors)
    }
    if (value < least) return fault(`must be at least ${least}, is ${value}`, pointer, errors)
    if (value > most) return fault(`must be at most ${most}, is ${value}`, pointer, errors)
    return Object.is(value, -0) ? 0 : value
  }
}

function readTimestamp(value: JsonValue, pointer: string, errors: InputError[]): JsonValue {
  const kind = 'an ISO 8601 date and time with offset, such as 2026-01-31T12:00:00Z'
  if (typeof value !== 'string') return wrongKind(kind, value, pointer, errors)
  const instant = parseTimestamp(value)
  return instant === null ? fault(`must be ${kind}`, pointer, errors) : timestamp(instant)
}

function choiceReader(values: readonly string[]): ValueReader {
  const known = new Set<JsonValue>(values)
  const detail = `must be one of ${values.join(', ')}`
  return (value, pointer, errors) => (known.has(value) ? value : fault(detail, pointer, errors))
}

function objectReader(properties: Fields, open = false): ValueReader {
  const readers = Object.entries(properties).map(
    ([name, field]) => [name, field, fieldReader(field)] as const,
  )
  return (value, pointer, errors) => {
    if (!isJsonObject(value)) return wrongKind('an object', value, pointer, errors)
    const result: Record<string, JsonValue> = {}
    for (const [name, field, read] of readers) {
      const at = `${pointer}/${pointerToken(name)}`
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      if (given !== undefined && field.readOnly !== true) result[name] = read(given, at, errors)
      else if (field.required === true) fault('is required', at, errors)
      else result[name] = field.default ?? null
    }
    if (open) return { ...value, ...result }
    noteUnknown(value, properties, pointer, errors)
    return result
  }
}

/** Notes every member of an object that is no field. */
export function noteUnknown(
  value: JsonObject,
  fields: Readonly<Record<string, unknown>>,
  pointer: string,
  errors: InputError[],
): void {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(fields, name)) continue
    const detail = unknownField(name, Object.keys(fields), errors.length)
    fault(detail, `${pointer}/${pointerToken(name)}`, errors)
  }
}

function arrayReader(
  read: ValueReader,
  limits: { minItems?: number; maxItems?: number; uniqueItems?: boolean },
): ValueReader {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = limits
  return (value, pointer, errors) => {
    if (!Array.isArray(value)) return wrongKind('an array', value, pointer, errors)
    if (value.length < minItems) {
      return fault(`must have at least ${count(minItems, 'item')}`, pointer, errors)
    }
    if (value.length > maxItems) {
      return fault(
        `must have at most ${count(maxItems, 'item')}, has ${value.length}`,
        pointer,
        errors,
      )
    }
    const items = value.map((item: JsonValue, index) => read(item, `${pointer}/${index}`, errors))
    const repeated = uniqueItems ? firstRepeated(items) : -1
    return repeated === -1
      ? items
      : fault('must not repeat an item before it', `${pointer}/${repeated}`, errors)
  }
}

/** Returns the index of the first repeated item, or -1, in time linear in the number of items. */
function firstRepeated(items: readonly JsonValue[]): number {
  const seen = new Set<string>()
  return items.findIndex((item) => seen.size === seen.add(sortedText(item)).size)
}

/** Returns the same text for values that differ only in the order of members. */
function sortedText(value: JsonValue): string {
  return JSON.stringify(value, (_, part: JsonValue) =>
    isJsonObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

function mapReader(read: ValueReader, maxProperties = Infinity): ValueReader {
  return (value, pointer, errors) => {
    if (!isJsonObject(value)) return wrongKind('an object', value, pointer, errors)
    const entries = Object.entries(value)
    if (entries.length > maxProperties) {
      return fault(
        `must have at most ${maxProperties} members, has ${entries.length}`,
        pointer,
        errors,
      )
    }
    // fromEntries defines members, so that a name such as __proto__ is only a name.
    return Object.fromEntries(
      entries.map(([name, item]) => [name, read(item, `${pointer}/${pointerToken(name)}`, errors)]),
    )
  }
}

function wrongKind(wanted: string, value: JsonValue, pointer: string, errors: InputError[]): null {
  return fault(`must be ${wanted}, is ${kindOf(value)}`, pointer, errors)
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'boolean') return `${value}`
  if (typeof value !== 'string') return 'an object'
  return literal.test(value) ? 'a text: leave out the quotation marks' : 'a text'
}

/** The texts that look like a number or a boolean of JSON. */
const literal = /^(-?\d+(\.\d+)?|true|false)$/

function fault(detail: string, pointer: string, errors: InputError[]): null {
  errors.push({ pointer, detail })
  return null
}

function points(value: string): number {
  let length = 0
  for (const _ of value) length += 1
  return length
}

function count(limit: number, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}
