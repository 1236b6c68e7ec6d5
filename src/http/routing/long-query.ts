import { isUtf8 } from 'node:buffer'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { invalidParameters, Problem, type InputError } from '../../core/problem.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { checkCoding, mediaType } from './read-body.ts'
import { header, type PlainRequest, type RequestHead } from '../server/request.ts'
import { parseJson } from '../../engine/json-text.ts'
import { readQueryString } from './query-string.ts'

const form = 'application/x-www-form-urlencoded'

/** Octets of a target that are still read; a longer query goes into a body. */
export const targetBytesMax = 8000

/**
 * Tells whether a request asks for a list with its parameters in the body: the method QUERY
 * (RFC 10008), a POST that overrides its method, or a POST of a form, since only JSON creates. Throws
 * where the method that is to be is none that can be.
 */
export function isLongQuery(request: RequestHead): boolean {
  if (request.method === 'QUERY' || isPostedQuery(request)) return true
  if (request.method !== 'POST' || !overridesMethod(request)) return false
  throw new Problem(
    'invalid-request',
    'X-HTTP-Method-Override can only be GET. Send other methods as they are.',
  )
}

/** Tells whether a request is a POST that asks for a list. */
export function isPostedQuery(request: RequestHead): boolean {
  if (request.method !== 'POST') return false
  if (!overridesMethod(request)) return mediaType(request) === form
  return header(request, 'x-http-method-override')?.toUpperCase() === 'GET'
}

/** Tells whether a request says that it is to be taken for one of another method. */
export function overridesMethod(request: RequestHead): boolean {
  return request.headers['x-http-method-override'] !== undefined
}

/** Reads the parameters of a long query: a form, or a JSON object with arrays for repeated ones. */
export function readLongQuery(request: PlainRequest): readonly FilterParameter[] {
  checkCoding(request)
  const type = mediaType(request)
  if (type === form) return readForm(request)
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
      errors.push({ parameter: name, detail: 'is an empty array: give a value, or leave it out' })
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
 * The parameters of a long query, of its target and its body. What a Link repeats of the body counts
 * once, and the place that it names is the one that is meant.
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

/** What the Link of a long query names: all of it, as that of a GET, where a GET could follow it. */
export function linkable(
  all: readonly FilterParameter[],
  inTarget: readonly FilterParameter[],
): readonly FilterParameter[] {
  const query = new URLSearchParams(all.map(([name, value]) => [name, value])).toString()
  return query.length <= linkableBytesMax ? all : inTarget
}

/**
 * A tool that was told of no media type may say form and send JSON: it is told what to say instead.
 */
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

/** The refusal of a query whose body is of another media type (RFC 10008 section 3). */
function unsupportedQuery(type: string): Problem {
  const accepted = `application/json, ${form}`
  return new Problem('unsupported-media-type', `A query must be ${accepted}; this is ${type}.`, {
    headers: { 'accept-query': accepted },
  })
}
