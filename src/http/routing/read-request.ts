import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { type InputError, invalidParameters, Problem } from '../../core/problem.ts'
import { parseJson } from '../../engine/json-text.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { header, mediaType, type PlainRequest, type RequestHead } from '../server/request.ts'

/** Reads the body of a request as a JSON object; throws a `Problem` with the cause. */
export function readBody(request: PlainRequest): JsonObject {
  checkCoding(request)
  checkMediaType(request)
  const value = parseJson(request.body)
  if (isJsonObject(value)) return value
  throw new Problem('invalid-request', 'The body must be a JSON object.')
}

/** Throws `unsupported-media-type` if the body is compressed. */
export function checkCoding(request: RequestHead): void {
  const codings = header(request, 'content-encoding')
  if (codings === undefined || /^[\s,]*(identity[\s,]*)*$/i.test(codings)) return
  throw new Problem(
    'unsupported-media-type',
    `The body must have no Content-Encoding; its coding is ${codings}.`,
    // The codings accepted instead (RFC 9110 sections 12.5.3 and 15.5.16).
    { headers: { 'accept-encoding': 'identity' } },
  )
}

function checkMediaType(request: RequestHead): void {
  // Fast path: nearly every request has exactly this value.
  if (header(request, 'content-type') === 'application/json') return
  const patching = request.method === 'PATCH'
  const types = patching
    ? ['application/merge-patch+json', 'application/json']
    : ['application/json']
  const given = mediaType(request)
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(header(request, 'content-type') ?? '')?.[1]
  if (types.includes(given) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  const accepted = types.join(', ')
  const said = charset === undefined ? '' : ` in ${charset}`
  throw new Problem(
    'unsupported-media-type',
    `The body must be ${types.join(' or ')} in UTF-8, not ${given || 'of no type'}${said}.`,
    { headers: { [patching ? 'accept-patch' : 'accept-post']: accepted } },
  )
}

/** Preferences of a client (RFC 7240) that the service supports. */
export interface Preferences {
  /** `count=exact`: the response contains the number of instances. */
  readonly countExactly: boolean
  /** `handling=dry-run`: the response shows the result of a write, without writing. */
  readonly dryRun: boolean
}

/**
 * Reads `Prefer`. Unknown and malformed preferences are ignored; the first of a name counts. A dry
 * run is honoured in any spelling and position, since to write would do more harm.
 */
export function readPreferences(field: string | undefined): Preferences {
  if (field === undefined) return nothing
  const values = new Map<string, string>()
  let dryRun = false
  for (const [, name = '', quoted, token] of field.matchAll(preference)) {
    const known = name.toLowerCase()
    const given = quoted ?? token ?? ''
    if (!values.has(known)) values.set(known, given)
    dryRun ||= known === 'handling' && given.toLowerCase() === 'dry-run'
  }
  return { countExactly: values.get('count') === 'exact', dryRun }
}

const nothing: Preferences = { countExactly: false, dryRun: false }

const token = String.raw`[\w!#$%&'*+.^|~\x60-]+`
const value = String.raw`[ \t]*=[ \t]*(?:"([^"\\]*)"|(${token}))`
const parameters = String.raw`;[^,"]*(?:"[^"]*"[^,"]*)*`

/** One preference, from the beginning of the field or a comma to its end or the next. */
const preference = new RegExp(
  String.raw`(?:^|,)[ \t]*(${token})(?:${value})?[ \t]*(?:${parameters})?(?=$|,)`,
  'g',
)

/** Parameters of a form: as many as a filter can need, by far. A target has no room for more. */
const parametersMax = 20_000

/**
 * Reads the query of a URI, or a form, as WHATWG URL does (application/x-www-form-urlencoded). But
 * throws `invalid-parameter` for malformed percent-encoding, since its meaning is ambiguous.
 */
export function readQueryString(text: string): readonly FilterParameter[] {
  if (text === '') return []
  const errors: InputError[] = []
  const pairs = text.split('&')
  if (pairs.length > parametersMax) {
    throw new Problem('invalid-request', `There are more than ${parametersMax} parameters.`)
  }
  const parameters = pairs
    .filter((pair) => pair !== '')
    .map((pair): FilterParameter => {
      const mark = pair.indexOf('=')
      const [name, value] = mark === -1 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)]
      const [decodedName, decoded] = [decode(name), decode(value)]
      if (decodedName === null || decoded === null) {
        const detail = 'must be percent-encoded UTF-8 (RFC 3986 section 2.1); write % as %25'
        errors.push({ parameter: decodedName ?? name, detail })
      } else if (decoded.includes('\0')) {
        const detail = 'has the character U+0000, which no text may have'
        errors.push({ parameter: decodedName, detail })
      }
      return [decodedName ?? '', decoded ?? '']
    })
  if (errors.length > 0) throw invalidParameters(errors)
  return parameters
}

/** Decodes a name or a value; null if it is not percent-encoded UTF-8. */
function decode(text: string): string | null {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

/** Rejects parameters of a write, which would otherwise be silently ignored. */
export function refuseParameters(parameters: readonly FilterParameter[], method: string): void {
  if (parameters.length === 0) return
  const detail = `is not a parameter of ${method}; use path and body`
  throw invalidParameters(parameters.map(([parameter]) => ({ parameter, detail })))
}
