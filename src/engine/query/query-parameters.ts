import { fold, type Query, type Start } from '../../core/declaration/query.ts'
import { type InputError, invalidParameters } from '../../core/problem.ts'
import type { Compiled } from '../compiled.ts'
import { unknownField } from '../../core/declaration/nearest.ts'
import { type CursorDirection, readCursor, readSort } from './sort.ts'
import { type FilterParameter, readConditions, reserved } from './filter-parameters.ts'

/** A list request, read. */
export interface ListRequest {
  readonly query: Query
  /** The requested page, from 1; null if the request has a cursor. */
  readonly page: number | null
  /** The reading direction from the start of the page. Its instances are in the order of the sort. */
  readonly way: CursorDirection
  /** The fields asked for, in wire order; null for all. */
  readonly fields: readonly string[] | null
}

const pageSizeDefault = 50
const pageSizeMax = 1000
/** A page number beyond this cannot be counted exactly with 1,000 a page. */
const pageMax = 1_000_000_000

/** More words than this are no name. */
const wordsMax = 100

/** The limit of cached queries per collection: clients repeat the same requests. */
const knownMax = 200

const known = new WeakMap<Compiled, Map<string, ListRequest>>()

/** Reads the parameters of a list request, or throws a `Problem` that lists every fault. */
export function readListRequest(
  compiled: Compiled,
  parameters: readonly FilterParameter[],
): ListRequest {
  const own = known.get(compiled) ?? new Map<string, ListRequest>()
  const { after, others } = splitOff(parameters)
  const text = JSON.stringify(others)
  const before = own.get(text)
  if (before !== undefined) return after === null ? before : goingOn(compiled, before, after)
  const read = readAnew(compiled, parameters)
  // Long queries rarely repeat.
  if (text.length < knownLengthMax) {
    if (own.size >= knownMax) own.clear()
    known.set(compiled, own.set(text, after === null ? read : fromTheStart(read)))
  }
  return read
}

/** Separates the cursor, which changes with each request, from the parameters that all pages share. */
function splitOff(parameters: readonly FilterParameter[]): {
  readonly after: string | null
  readonly others: readonly FilterParameter[]
} {
  const cursors = parameters.filter(([name]) => name === 'after')
  const isPlain = cursors.length === 1 && parameters.every(([name]) => name !== 'page')
  const [cursor] = cursors
  if (cursor === undefined || !isPlain) return { after: null, others: parameters }
  return { after: cursor[1], others: parameters.filter((each) => each !== cursor) }
}

/** Returns the request for the page of the same list at a cursor. */
function goingOn(compiled: Compiled, { query, fields }: ListRequest, after: string): ListRequest {
  const errors: InputError[] = []
  const cursor = readCursor(compiled, after, query.sort, errors)
  if (cursor === null) throw invalidParameters(errors)
  const { values, way } = cursor
  return { query: { ...query, start: { after: values } }, page: null, way, fields }
}

function fromTheStart({ query, fields }: ListRequest): ListRequest {
  return { query: { ...query, start: { offset: 0 } }, page: 1, way: 'ON', fields }
}

/** The length limit of cached parameters. */
const knownLengthMax = 500

function readAnew(compiled: Compiled, parameters: readonly FilterParameter[]): ListRequest {
  const errors: InputError[] = []
  const named = readNamedFilters(compiled, parameters, errors)
  const isFilter = ([name]: FilterParameter): boolean =>
    !reserved.includes(name) && !named.names.includes(name)
  const conditions = readConditions(compiled, parameters.filter(isFilter), errors)
  const sort = readSort(compiled, valuesOf('sort', parameters), errors)
  const words = readWords(compiled, valuesOf('search', parameters), errors)
  const fields = readFields(compiled, valuesOf('fields', parameters), errors)
  const limit =
    readNumber('pageSize', pageSizeMax, single('pageSize', parameters, errors), errors) ??
    pageSizeDefault
  const page = readNumber('page', pageMax, single('page', parameters, errors), errors)
  const after = single('after', parameters, errors)
  if (after !== null && page !== null) {
    errors.push({ parameter: 'after', detail: 'cannot go with page: give one of them' })
  }
  const cursor = after === null || page !== null ? null : readCursor(compiled, after, sort, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  const start: Start =
    cursor === null ? { offset: ((page ?? 1) - 1) * limit } : { after: cursor.values }
  return {
    query: { conditions, ...named.filter, searchTerms: words, sort, start, limit },
    page: cursor === null ? (page ?? 1) : null,
    way: cursor?.way ?? 'ON',
    fields,
  }
}

/**
 * Reads the parameters of a request for one instance: the fields asked for, in wire order, or null for
 * all. Throws a `Problem` that lists every fault.
 */
export function readInstanceRequest(
  compiled: Compiled,
  parameters: readonly FilterParameter[],
): readonly string[] | null {
  if (parameters.length === 0) return null
  const others = new Set(parameters.map(([name]) => name).filter((name) => name !== 'fields'))
  const errors: InputError[] = [...others].map((parameter) => {
    return { parameter, detail: 'is not taken for one instance: fields is, others are for lists' }
  })
  const fields = readFields(compiled, valuesOf('fields', parameters), errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return fields
}

/** Returns the page size that a list request asks for, even if it exceeds the limit. */
export function sizeAskedFor(parameters: readonly FilterParameter[]): number {
  const [size] = valuesOf('pageSize', parameters)
  return size === undefined ? pageSizeDefault : Number(size)
}

/** Returns the values of a parameter in their order. */
function valuesOf(name: string, parameters: readonly FilterParameter[]): readonly string[] {
  return parameters.flatMap(([given, value]) => (given === name ? [value] : []))
}

function single(
  name: string,
  parameters: readonly FilterParameter[],
  errors: InputError[],
): string | null {
  const values = valuesOf(name, parameters)
  if (values.length > 1) errors.push({ parameter: name, detail: 'may be given once' })
  return values[0] ?? null
}

function readNumber(
  parameter: string,
  maximum: number,
  value: string | null,
  errors: InputError[],
): number | null {
  if (value === null) return null
  const number = /^\d{1,15}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= maximum) return number
  errors.push({ parameter, detail: `must be a whole number from 1 to ${maximum}` })
  return null
}

function readWords(
  compiled: Compiled,
  values: readonly string[],
  errors: InputError[],
): readonly string[] {
  if (values.length > 0 && compiled.declared.searchedBy.length === 0) {
    errors.push({ parameter: 'search', detail: `is not offered by ${compiled.declared.name}` })
    return []
  }
  const words = new Set(values.flatMap((value) => fold(value).split(/\s+/u)))
  words.delete('')
  if (words.size > wordsMax) {
    errors.push({ parameter: 'search', detail: `has at most ${wordsMax} words, has ${words.size}` })
  }
  return [...words]
}

function readFields(
  compiled: Compiled,
  values: readonly string[],
  errors: InputError[],
): readonly string[] | null {
  if (values.length === 0) return null
  const names = new Set(values.flatMap((value) => value.split(',')).map((name) => name.trim()))
  for (const name of names) {
    if (compiled.served.includes(name)) continue
    const refusal = unknownField(name, compiled.served, errors.length)
    errors.push({ parameter: 'fields', detail: `names ${JSON.stringify(name)}, which ${refusal}` })
  }
  return compiled.served.filter((name) => name === 'id' || names.has(name))
}

/** The filters of a query that are no fields. */
interface NamedFilters {
  readonly names: readonly string[]
  readonly filter: Pick<Query, 'alternatives'>
}

/** Reads the filters that a collection declares by name. A repeated one matches any of its values. */
function readNamedFilters(
  compiled: Compiled,
  parameters: readonly FilterParameter[],
  errors: InputError[],
): NamedFilters {
  const declared = compiled.declared.filters ?? {}
  const names = Object.keys(declared)
  const [name] = parameters.find(([given]) => names.includes(given)) ?? []
  const named = name === undefined ? undefined : declared[name]
  if (name === undefined || named === undefined) return { names, filter: {} }

  const values = parameters.flatMap(([given, value]) => (given === name ? [value] : []))
  const faults: InputError[] = []
  const alternatives = named.alternatives.map(({ where, field }) => {
    const compared = values.map((value): FilterParameter => [field, value])
    return readConditions(compiled, [...compared, ...Object.entries(where)], faults)
  })
  const [fault] = faults
  if (fault !== undefined) errors.push({ parameter: name, detail: fault.detail })
  return { names, filter: { alternatives } }
}
