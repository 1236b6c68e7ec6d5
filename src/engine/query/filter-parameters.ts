import type { Field } from '../../core/declaration/field.ts'
import type { InputError } from '../../core/problem.ts'
import type { Condition, Operator, Scalar } from '../../core/declaration/query.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { formats } from '../../core/declaration/format.ts'
import { type Compiled, common } from '../compiled.ts'
import { isNoField, unknownField } from '../../core/declaration/nearest.ts'

/** A parameter of the query: its name and its value, decoded. */
export type FilterParameter = readonly [name: string, value: string]

/** Parameters of every list; no field may have one of these names. */
export const reserved: readonly string[] = ['sort', 'search', 'page', 'pageSize', 'after', 'fields']

/** A filter with more values than this is a mistake, and costs the store more than it should. */
const valuesMax = 1000

/** The limit of conditions in one query. A store could not plan a query with thousands. */
const conditionsMax = 100

/** Characters of a `_like` pattern: matching takes time with the pattern and each text. */
export const patternCharactersMax = 200

/** Wildcards of a `_like` pattern. */
export const wildcardsMax = 10

/** Reads filters. The same field repeated with `eq` is one condition with several values. */
export function readConditions(
  compiled: Compiled,
  parameters: readonly FilterParameter[],
  errors: InputError[],
): readonly Condition[] {
  const conditions = new Map<string, { condition: Condition; values: Scalar[] }>()
  for (const [name, value] of parameters) {
    const target = readTarget(compiled, name, errors.length)
    if ('refusal' in target) {
      errors.push({ parameter: name, detail: target.refusal })
      continue
    }
    const { path, field, operator } = target
    const scalar = readScalar(field, operator, value)
    if ('refusal' in scalar) {
      errors.push({ parameter: name, detail: scalar.refusal })
      continue
    }
    const gathers = operator === 'eq' || operator === 'ne'
    const key = gathers ? name : `${name}=${value}`
    const known = conditions.get(key)
    if (known === undefined) {
      const values = [scalar.value]
      conditions.set(key, { condition: { path, operator, values }, values })
    } else if (known.values.length < valuesMax) known.values.push(scalar.value)
    else errors.push({ parameter: name, detail: `may be given ${valuesMax} times at most` })
  }
  if (conditions.size > conditionsMax) {
    const [beyond = ''] = [...conditions.keys()].slice(conditionsMax)
    const parameter = beyond.split('=', 1)[0] ?? ''
    errors.push({
      parameter,
      detail: `is one filter too many: at most ${conditionsMax} go together`,
    })
  }
  return [...conditions.values()].map(({ condition }) => condition)
}

type Target =
  | { readonly path: readonly string[]; readonly field: Field; readonly operator: Operator }
  | { readonly refusal: string }

const suffixes = ['ne', 'gte', 'gt', 'lte', 'lt', 'like'] as const

/**
 * Splits a name into a field and the suffix of a comparison. A field with exactly that name has
 * precedence, except in a map, which has a field for every name.
 */
function readTarget(compiled: Compiled, name: string, faults: number): Target {
  const exact = findField(compiled, name)
  if ('field' in exact && !exact.anyName) return allow(exact.field, 'eq', exact.path)
  for (const operator of suffixes) {
    if (!name.endsWith(`_${operator}`)) continue
    const compared = name.slice(0, -operator.length - 1)
    const found = findField(compiled, compared)
    return 'refusal' in found
      ? { refusal: refusalOf(compiled, compared, found.refusal, { faults }) }
      : allow(found.field, operator, found.path)
  }
  if ('field' in exact) return allow(exact.field, 'eq', exact.path)
  return { refusal: refusalOf(compiled, name, exact.refusal, { faults, others: reserved }) }
}

function allow(field: Field, operator: Operator, path: readonly string[]): Target {
  const compared = field.kind === 'array' ? field.items : field
  const { kind } = compared
  if (kind === 'object' || kind === 'map' || kind === 'array') {
    return { refusal: `is ${kind === 'array' ? 'an array' : 'an object'}: name a field inside it` }
  }
  if (field.kind === 'array' && operator !== 'eq' && operator !== 'ne') {
    return { refusal: 'is an array: only equality and _ne compare with its items' }
  }
  if (operator === 'like' && (kind === 'integer' || kind === 'number' || kind === 'boolean')) {
    return { refusal: 'is no text: _like does not apply' }
  }
  if (kind === 'boolean' && operator !== 'eq' && operator !== 'ne') {
    return { refusal: 'is true or false: only equality and _ne apply' }
  }
  return { path, field: compared, operator }
}

type ReadScalar = { readonly value: Scalar } | { readonly refusal: string }

function readScalar(field: Field, operator: Operator, value: string): ReadScalar {
  if (value === 'null' && (operator === 'eq' || operator === 'ne')) return { value: null }
  if (value.includes('\0') || !value.isWellFormed())
    return { refusal: 'has a character no text may have' }
  if (operator === 'like') return readPattern(value)
  switch (field.kind) {
    case 'integer':
    case 'number':
      return numberForm.test(value) && Number.isFinite(Number(value))
        ? { value: Number(value) }
        : { refusal: 'must be a number' }
    case 'boolean':
      return value === 'true' || value === 'false'
        ? { value: value === 'true' }
        : { refusal: 'must be true or false' }
    case 'timestamp': {
      const instant = parseTimestamp(value)
      return instant === null
        ? { refusal: 'must be an ISO 8601 date and time with offset, such as 2026-01-31T12:00:00Z' }
        : { value: timestamp(instant) }
    }
    case 'choice':
      return field.enum.includes(value) || (operator !== 'eq' && operator !== 'ne')
        ? { value }
        : { refusal: `must be one of ${field.enum.join(', ')}` }
    case 'text': {
      // A filter finds a normalised address in every notation. A value without a normal form finds
      // nothing.
      const formatted = field.format === undefined ? null : formats[field.format].read(value)
      return { value: formatted?.ok === true ? formatted.text : value }
    }
    default:
      return { value }
  }
}

function readPattern(value: string): ReadScalar {
  // A character has one or two UTF-16 code units: long values need not be counted.
  const isLong =
    value.length > 2 * patternCharactersMax ||
    (value.length > patternCharactersMax && [...value].length > patternCharactersMax)
  if (isLong) return { refusal: `must have at most ${patternCharactersMax} characters` }
  const wildcards = value.split('*').length - 1
  if (wildcards > wildcardsMax) {
    return { refusal: `must have at most ${wildcardsMax} *, has ${wildcards}` }
  }
  return { value }
}

const numberForm = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** The field at a dotted path, or the reason why there is none. */
export type FieldAtPath =
  | {
      readonly path: readonly string[]
      readonly field: Field
      /** True if the field is in a map, which accepts any name. */
      readonly anyName: boolean
    }
  | { readonly refusal: string }

/**
 * Finds the field that a dotted path of a filter or a sort names. Finds only stored and served
 * fields, so filters cannot guess hidden values.
 */
export function findField(compiled: Compiled, dotted: string): FieldAtPath {
  const path = dotted.split('.')
  const [first = '', ...rest] = path
  const top = Object.hasOwn(common, first) ? common[first] : ownField(compiled, first)
  if (top === undefined) return { refusal: isNoField }
  if (top.live === true) return { refusal: 'is worked out at each read and cannot be asked for' }
  let field: Field = top
  let anyName = false
  for (const name of rest) {
    const next = member(field, name)
    if (next === undefined) return { refusal: isNoField }
    anyName ||= field.kind === 'map'
    field = next
  }
  return { path, field, anyName }
}

/**
 * Returns the refusal of a dotted path, with the nearest name if it is unknown. `others` are names besides the
 * fields, `faults` those of the request so far.
 */
export function refusalOf(
  compiled: Compiled,
  dotted: string,
  refusal: string,
  { faults, others = [] }: { readonly faults: number; readonly others?: readonly string[] },
): string {
  if (refusal !== isNoField) return refusal
  let known: readonly string[] = [...Object.keys(common), ...compiled.stored, ...others]
  let fields = { ...compiled.declared.fields, ...common }
  for (const name of dotted.split('.')) {
    if (!known.includes(name)) return unknownField(name, known, faults)
    const field = fields[name]
    fields = field?.kind === 'object' ? field.properties : {}
    known = Object.keys(fields)
  }
  return refusal
}

function ownField(compiled: Compiled, name: string): Field | undefined {
  const isServed = compiled.stored.includes(name) || compiled.live.includes(name)
  return isServed ? compiled.declared.fields[name] : undefined
}

function member(field: Field, name: string): Field | undefined {
  if (field.kind === 'object') {
    return Object.hasOwn(field.properties, name) ? field.properties[name] : undefined
  }
  return field.kind === 'map' && name !== '' ? field.values : undefined
}
