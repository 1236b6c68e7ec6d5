import { hash } from 'node:crypto'
import { type InputError, invalidParameters, Problem } from '../../core/problem.ts'
import type { OperationRequest } from '../../engine/operation.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { header, type PlainRequest } from '../server/request.ts'
import { readBody } from './read-body.ts'
import type { RoutedResource } from './routes.ts'

/** Results of the checks before an operation. */
interface OperationContext extends Pick<
  OperationRequest,
  'principal' | 'parameters' | 'asSent' | 'version' | 'path' | 'origin'
> {
  readonly resource: RoutedResource
  readonly preferences: Preferences
}

/** Creates the request of an operation. Throws a `Problem` if the idempotency key is malformed. */
export function operationRequest(
  request: PlainRequest,
  { resource, principal, parameters, asSent, version, path, origin, preferences }: OperationContext,
): OperationRequest {
  const key = request.method === 'POST' ? header(request, 'idempotency-key') : undefined
  return {
    compiled: resource.compiled,
    parent: resource.parent,
    id: resource.id ?? '',
    principal,
    conditions: {
      ifMatch: header(request, 'if-match'),
      ifNoneMatch: header(request, 'if-none-match'),
    },
    parameters,
    asSent,
    unknownFields: [],
    version,
    path,
    ...(origin === undefined ? {} : { origin }),
    body: () => readBody(request),
    countExactly: preferences.countExactly,
    disconnected: request.gone,
    idempotency:
      key === undefined ? null : { key: checkKey(key), fingerprint: fingerprint(request) },
  }
}

/**
 * Returns an idempotency key if it is printable and at most 255 characters long, since it is
 * stored.
 */
function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'invalid-request',
    'Idempotency-Key must be 1 to 255 printable ASCII characters, without spaces.',
  )
}

function fingerprint(request: PlainRequest): string {
  return hash('sha256', `${request.target}\n${hash('sha256', request.body, 'hex')}`, 'base64url')
}

/** Preferences of a client (RFC 7240) that the service supports. */
interface Preferences {
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
