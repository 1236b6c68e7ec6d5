import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { invalidParameters, Problem, type InputError } from '../../core/problem.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { header, mediaType, type PlainRequest } from '../server/request.ts'
import { parseJson } from '../../engine/json-text.ts'
import { form, overridesMethod } from './check-head.ts'
import { checkCoding, readQueryString } from './read-request.ts'
import type { RoutedResource } from './routes.ts'

/**
 * Reads the parameters of a long query: a form, or a JSON object with arrays for repeated ones. Throws
 * `unsupported-media-type` for a form that is meant to create an instance.
 */
export function readLongQuery(
  request: PlainRequest,
  resource: RoutedResource,
): readonly FilterParameter[] {
  checkCoding(request)
  const type = mediaType(request)
  if (type === form) {
    const parameters = readForm(request)
    if (request.method === 'POST' && !overridesMethod(request)) refuseNew(resource, parameters)
    return parameters
  }
  const isTyped = header(request, 'content-type') !== undefined
  // A QUERY has a body of a type (RFC 10008 section 2), be it an empty one.
  if (request.body.length === 0 && !isTyped && request.method !== 'QUERY') return []
  if (type !== 'application/json') throw unsupportedQuery(type || 'of no type')
  if (request.body.length === 0) return []
  const value = parseJson(request.body)
  if (!isJsonObject(value)) throw new Problem('invalid-request', 'The body must be a JSON object.')
  const errors: InputError[] = []
  const parameters = Object.entries(value).flatMap(([name, given]) => {
    // Without a value the parameter would be none, and everything selected.
    if (Array.isArray(given) && given.length === 0) {
      errors.push({
        parameter: name,
        detail: 'must not be an empty array; give a value or omit it',
      })
    }
    return (Array.isArray(given) ? given : [given]).map((item: JsonValue): FilterParameter => {
      if (typeof item !== 'object' || item === null) return [name, String(item)]
      errors.push({ parameter: name, detail: 'must be a text, a number, true, false or null' })
      return [name, '']
    })
  })
  if (errors.length > 0) throw invalidParameters(errors)
  return parameters
}

/**
 * Joins the parameters of the target and the body of a long query. A Link repeats those of the
 * body, which count once; its cursor takes precedence.
 */
export function withBody(
  inTarget: readonly FilterParameter[],
  inBody: readonly FilterParameter[],
): readonly FilterParameter[] {
  const goesOn = inTarget.some(([name]) => name === 'after' || name === 'page')
  const added = inBody.filter(
    ([name, value]) =>
      !(goesOn && (name === 'after' || name === 'page')) &&
      !inTarget.some(([known, given]) => known === name && given === value),
  )
  return [...inTarget, ...added]
}

/** Octets of a query that still leave room for the rest of a target. */
const linkableBytesMax = 4000

/**
 * Returns the parameters for the Link of a long query: all of them, if a GET with them is short
 * enough.
 */
export function linkable(
  all: readonly FilterParameter[],
  inTarget: readonly FilterParameter[],
): readonly FilterParameter[] {
  // Encoding makes nothing shorter, and takes milliseconds for a query of a megabyte.
  const length = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > linkableBytesMax) return inTarget
  const query = new URLSearchParams(all.map(([name, value]) => [name, value])).toString()
  return query.length <= linkableBytesMax ? all : inTarget
}

/** Reads a form. Some tools send JSON as a form by default: the problem names the right media type. */
function readForm({ body }: PlainRequest): readonly FilterParameter[] {
  if (!isUtf8(body)) throw new Problem('invalid-request', 'The body is not UTF-8.')
  const text = Buffer.from(body).toString('utf8')
  if (text.trimStart().startsWith('{')) {
    throw new Problem(
      'unsupported-media-type',
      'The body is JSON, but Content-Type says it is a form. Send Content-Type: application/json.',
      { headers: { 'accept-post': `application/json, ${form}` } },
    )
  }
  return readQueryString(text)
}

/** Refuses a form with every required field of a new instance: its client would take the list for a success. */
function refuseNew({ compiled }: RoutedResource, parameters: readonly FilterParameter[]): void {
  const { fields, noun } = compiled.declared
  const required = Object.entries(fields).filter(([, field]) => field.required === true)
  const isNew = required.every(([name]) => parameters.some(([given]) => given === name))
  if (required.length === 0 || !isNew) return
  throw new Problem(
    'unsupported-media-type',
    `A form creates no ${noun}. Send JSON with Content-Type: application/json to create one. To query with a form, ` +
      'add X-HTTP-Method-Override: GET.',
    { headers: { 'accept-post': 'application/json' } },
  )
}

/** The refusal of a query whose body is of another media type (RFC 10008 section 3). */
function unsupportedQuery(type: string): Problem {
  const accepted = `application/json, ${form}`
  return new Problem('unsupported-media-type', `A query must be ${accepted}; this is ${type}.`, {
    headers: { 'accept-query': accepted },
  })
}
