import { type Access, allows } from '../../core/account.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { Problem } from '../../core/problem.ts'
import { header, mediaType, type RequestHead } from '../server/request.ts'
import type { HttpRoute, RoutedResource } from './routes.ts'

/** Octets of a target that are still read; a longer query goes into a body. */
const targetBytesMax = 8000

/**
 * Throws `uri-too-long`. A character has at most three octets in UTF-8 (RFC 3629), so most targets need not
 * be encoded.
 */
export function checkTargetLength(target: string): void {
  if (target.length * 3 <= targetBytesMax || Buffer.byteLength(target) <= targetBytesMax) return
  throw new Problem(
    'uri-too-long',
    `The URI has more than ${targetBytesMax} octets. Send the parameters in the body of a POST ` +
      'to the same path with X-HTTP-Method-Override: GET.',
  )
}

/** Returns true for `POST /v1/sessions`, which reads its credentials itself. */
export function isSignIn(resource: RoutedResource, request: RequestHead): boolean {
  if (request.method !== 'POST' || resource.id !== null || !isSession(resource)) return false
  return !isLongQuery(request)
}

function isSession({ compiled }: RoutedResource): boolean {
  return qualifiedName(compiled.declared) === 'sessions'
}

/** The media type of a form, which never creates: it is a query. */
export const form = 'application/x-www-form-urlencoded'

/**
 * Returns true if a request is a list query with its parameters in the body: the method QUERY (RFC
 * 10008), a POST that overrides its method, or a POST of a form, since only JSON creates. Throws if
 * the override names another method than GET.
 */
export function isLongQuery(request: RequestHead): boolean {
  if (request.method === 'QUERY' || isPostedQuery(request)) return true
  if (request.method !== 'POST' || !overridesMethod(request)) return false
  throw new Problem(
    'invalid-request',
    'X-HTTP-Method-Override can only be GET. Send other methods as they are.',
  )
}

/** Returns true if a request is a POST that queries a list. */
export function isPostedQuery(request: RequestHead): boolean {
  if (request.method !== 'POST') return false
  if (!overridesMethod(request)) return mediaType(request) === form
  return header(request, 'x-http-method-override')?.toUpperCase() === 'GET'
}

/** Returns true if a request overrides its method. */
export function overridesMethod(request: RequestHead): boolean {
  return request.headers['x-http-method-override'] !== undefined
}

/** Throws `forbidden` if a key lacks the scope of an access to a resource. */
export function checkScope(principal: Principal, resource: RoutedResource, access: Access): void {
  const { declared } = (resource.parent ?? resource).compiled
  if (declared.administratorsOnly && !principal.administrator) throw forbidden('admin')
  if (declared.changedByAdministrators && access === 'write' && !principal.administrator) {
    throw new Problem('forbidden', `Only a key with the scope admin can change ${declared.name}.`)
  }
  if (isOwnSession(resource, principal)) return
  if (!allows(principal.scopes, declared.name, access))
    throw forbidden(`${declared.name}:${access}`)
}

/** Creates the refusal of a key without a scope. */
export function forbidden(scope: string): Problem {
  return new Problem('forbidden', `The key lacks the scope ${scope}.`)
}

/** The identifier by which a request names its own session. */
const current = 'current'

/** Returns the resource of a path, with the session of the request in place of `sessions/current`. */
export function withOwnSession(resource: RoutedResource, { session }: Principal): RoutedResource {
  if (session === undefined || resource.id !== current || !isSession(resource)) return resource
  return { ...resource, id: session }
}

/** Returns true if a request names its own session, which it may read and end without a scope. */
function isOwnSession(resource: RoutedResource, { session }: Principal): boolean {
  return session !== undefined && resource.id === session && isSession(resource)
}

/** The media type of nearly every response. */
export const json = ['application/json'] as const

/** The media type of a table. */
const csv = 'text/csv'

/**
 * Throws `not-acceptable` unless the field `Accept` (RFC 9110 section 12.5.1) accepts one of these
 * media types. A missing field accepts all.
 */
export function checkAccept(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || types.some((type) => accepts(accept, type)))
    return
  throw new Problem(
    'not-acceptable',
    `The response is ${types.join(' or ')}. Accept it, or omit Accept.`,
  )
}

/** Returns true if the most specific range that matches a media type has a weight above 0. */
export function accepts(accept: string, type: string): boolean {
  const family = `${type.split('/', 1)[0]}/*`
  const ranges = new Map(accept.split(',').map(readRange))
  const weight = ranges.get(type) ?? ranges.get(family) ?? ranges.get('*/*') ?? 0
  return weight > 0
}

/** Returns the media types of a route's response: a list is also a table. */
export function typesOf({ id }: RoutedResource, { access }: HttpRoute): readonly string[] {
  return id === null && access === 'read' ? [...json, csv] : json
}

/** Returns true if a client wants a list as CSV rather than as JSON. */
export function asksCsv(request: RequestHead, resource: RoutedResource, route: HttpRoute): boolean {
  const accept = header(request, 'accept')
  if (accept?.includes(csv) !== true || accept.includes('application/json')) return false
  return typesOf(resource, route).includes(csv) && accepts(accept, csv)
}

/** Returns true if a client names HTML, as browsers do: programs that accept everything get JSON. */
export function asksHtml(accept = ''): boolean {
  return accept.includes('text/html') && accepts(accept, 'text/html')
}

function readRange(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [type, weight === undefined ? 1 : Number(weight) || 0]
}
