import { invalidParameters, Problem } from '../../core/problem.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { allows, type Access } from '../../core/declaration/scope.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { dryRun } from '../../engine/dry-run.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import type { Edge, HtmlPage, View } from './edge.ts'
import type { Respond } from '../server/handle.ts'
import {
  isLongQuery,
  linkable,
  overridesMethod,
  readLongQuery,
  targetBytesMax,
  withBody,
} from './long-query.ts'
import { checkAccept } from './check-accept.ts'
import { allowed, findRoute, notAllowed, type HttpRoute, type RoutedResource } from './routes.ts'
import type { ServedVersion } from '../../versions/served-version.ts'
import { findResource, segmentsOf } from './find-resource.ts'
import { operate } from './operate.ts'
import { operationRequest } from './operation-request.ts'
import { readPreferences } from './preferences.ts'
import { readQueryString } from './query-string.ts'
import {
  header,
  type IncomingRequest,
  type PlainAnswer,
  type PlainRequest,
  received,
  type RequestHead,
} from '../server/request.ts'

/** The methods that the service knows; others are not implemented anywhere. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

const json = ['application/json']

/**
 * The life of a request, in the order of the checks: version, collection, credentials, method,
 * scope; then, in the operation: existence, condition, body.
 */
export function respond(edge: Edge): Respond {
  const deepest = Math.max(...Array.from(edge.pages.keys(), (path) => segmentsOf(path).length))
  return (request, along) => {
    const [path, query] = cut(request.target)
    if (!methods.has(request.method)) {
      throw new Problem('not-implemented', `${request.method} is no method of this service.`)
    }
    if (path === '*') return onlyOptions(request)
    const [first = '', ...names] = segmentsOf(path)
    // A `Map` first keeps each path that it is asked for: those of instances are not worth that.
    const page = names.length < deepest ? edge.pages.get(path) : undefined
    if (page !== undefined) return onlyGet(request, page)
    if (isTooLong(request.target)) throw tooLong()

    if (!/^v\d/.test(first)) throw notHere(path)
    const version = edge.versions.find(first)
    Object.assign(along, version.headers)
    if (isCallback(names)) return onCallback(edge, request, names)
    const visit = { edge, version, request, query, along }
    const view = names.length === 1 ? edge.views.get(names[0] ?? '') : undefined
    return view === undefined ? onResource(visit, path, names) : readView(visit, view)
  }
}

/** The path of a target and its query, which is empty where there is none. */
function cut(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** A request at the edge. */
interface Visit {
  readonly edge: Edge
  readonly version: ServedVersion
  readonly request: IncomingRequest
  /** What stands behind the question mark of its target. */
  readonly query: string
  /** What goes with the answer, whichever it becomes. */
  readonly along: Record<string, string>
}

/** Finds out whose a request is; throws where it may not come in. */
function identify({ edge, request }: Visit, collection: string): MaybePromise<Principal> {
  const { authenticate, maintenance } = edge
  const authorization = header(request, 'authorization')
  if (!maintenance.isOn()) return authenticate(authorization)
  // Who has no key learns that the service is being maintained, and not that the key is missing.
  const asked = (async () => authenticate(authorization))()
  const known = asked.catch(() => null)
  return known.then((principal) => {
    maintenance.check(request, collection, principal)
    return asked
  })
}

/** Counts a request of a key; throws where there are too many. */
function countIn({ edge, along }: Visit, principal: Principal): Principal {
  Object.assign(along, edge.limit(principal))
  return principal
}

function onResource(
  visit: Visit,
  path: string,
  names: readonly string[],
): MaybePromise<PlainAnswer> {
  const { edge, version, request } = visit
  const resource = findResource(edge.engine.catalogue, version, names)
  if (request.method === 'OPTIONS') return options(allowed(resource))
  return andThen(identify(visit, ownerName(resource)), (principal) =>
    onRoute(visit, path, resource, countIn(visit, principal)),
  )
}

/** Returns the name of the collection whose scope a resource takes. */
function ownerName(resource: RoutedResource): string {
  return (resource.parent ?? resource).compiled.declared.name
}

/** Decides on the head of a request, and then receives its body. */
function onRoute(
  visit: Visit,
  path: string,
  resource: RoutedResource,
  principal: Principal,
): MaybePromise<PlainAnswer> {
  const { edge, request, query } = visit
  const { clock } = edge.engine
  const { route, isLong } = routeOf(resource, request)
  checkScope(principal, resource, route.access)
  checkAccept(header(request, 'accept'), json)
  const asSent = readQueryString(query)
  if (route.access === 'write') refuseParameters(asSent, request.method)

  const head = { path, resource, route, isLong, asSent }
  if ('body' in request) return answer(visit, head, request, principal)
  const startedAt = clock.monotonic()
  return andThen(received(request), (whole) => {
    if (clock.monotonic() - startedAt < slowBodyMs) return answer(visit, head, whole, principal)
    return andThen(identify(visit, ownerName(resource)), (now) => {
      checkScope(now, resource, route.access)
      return answer(visit, head, whole, now)
    })
  })
}

/** A body that took so many milliseconds may have outlived its key: the key is checked again. */
const slowBodyMs = 1000

/** What is known of a request from its head. */
interface AllowedRequest {
  readonly path: string
  readonly resource: RoutedResource
  readonly route: HttpRoute
  readonly isLong: boolean
  readonly asSent: readonly FilterParameter[]
}

function answer(
  { edge, version }: Visit,
  { path, resource, route, isLong, asSent }: AllowedRequest,
  request: PlainRequest,
  principal: Principal,
): MaybePromise<PlainAnswer> {
  const parameters = isLong ? withBody(asSent, readLongQuery(request)) : asSent
  const preferences = readPreferences(header(request, 'prefer'))
  const sent = operationRequest(request, {
    resource,
    principal,
    parameters,
    asSent: isLong ? linkable(parameters, asSent) : asSent,
    version: version.name,
    path,
    preferences,
  })
  // What is read changes nothing.
  const isDry = preferences.dryRun && route.access === 'write'
  return operate(isDry ? dryRun(route.operation) : route.operation, sent, version, edge.engine)
}

/** A long query is a GET whose parameters stand in the body. */
function routeOf(
  resource: RoutedResource,
  request: RequestHead,
): { readonly route: HttpRoute; readonly isLong: boolean } {
  if (resource.id === null && isLongQuery(request)) {
    const list = findRoute(resource, 'GET')
    if (list !== null) return { route: list, isLong: true }
    // What is to be a GET must not create.
    if (overridesMethod(request)) throw notAllowed('GET', allowed(resource))
  }
  const route = findRoute(resource, request.method)
  if (route === null) throw notAllowed(request.method, allowed(resource))
  return { route, isLong: false }
}

/** Parameters say what is read: of a write they would be passed over in silence. */
function refuseParameters(parameters: readonly FilterParameter[], method: string): void {
  if (parameters.length === 0) return
  const detail = `is not taken by ${method}: what it does stands in the path and the body`
  throw invalidParameters(parameters.map(([parameter]) => ({ parameter, detail })))
}

async function readView(visit: Visit, view: View): Promise<PlainAnswer> {
  const { edge, version, request, query } = visit
  if (request.method === 'OPTIONS') return options('GET, HEAD, OPTIONS')
  const principal = countIn(visit, await identify(visit, view.name))
  if (request.method !== 'GET') throw notAllowed(request.method, 'GET, HEAD, OPTIONS')
  if (!allows(principal.scopes, view.name, 'read')) throw forbidden(`${view.name}:read`)
  checkAccept(header(request, 'accept'), view.types)
  const parameters = readQueryString(query)
  const mayStill = async (): Promise<boolean> => {
    try {
      const now = await edge.authenticate(header(request, 'authorization'))
      return allows(now.scopes, view.name, 'read')
    } catch {
      return false
    }
  }
  return view.get({ request, parameters, principal, version, mayStill })
}

/** `carriers/{id}/callbacks/{name}`. */
function isCallback(names: readonly string[]): boolean {
  return names.length === 4 && names[0] === 'carriers' && names[2] === 'callbacks'
}

async function onCallback(
  { callback }: Edge,
  request: IncomingRequest,
  [, carrier = '', , name = '']: readonly string[],
): Promise<PlainAnswer> {
  if (request.method === 'OPTIONS') return options('POST, OPTIONS')
  if (request.method !== 'POST') throw notAllowed(request.method, 'POST, OPTIONS')
  return callback(request, carrier, name)
}

/** `OPTIONS *` asks about the service as a whole (RFC 9110 section 9.3.7). */
function onlyOptions(request: RequestHead): PlainAnswer {
  if (request.method === 'OPTIONS') return options([...methods].join(', '))
  throw notAllowed(request.method, 'OPTIONS')
}

function onlyGet(request: RequestHead, page: HtmlPage): MaybePromise<PlainAnswer> {
  if (request.method === 'OPTIONS') return options('GET, HEAD, OPTIONS')
  if (request.method !== 'GET') throw notAllowed(request.method, 'GET, HEAD, OPTIONS')
  return page(request)
}

function options(allow: string): PlainAnswer {
  return { status: 204, headers: { allow }, body: null }
}

function checkScope(principal: Principal, resource: RoutedResource, access: Access): void {
  const { declared } = (resource.parent ?? resource).compiled
  if (declared.administratorsOnly && !principal.administrator) throw forbidden('admin')
  if (declared.changedByAdministrators && access === 'write' && !principal.administrator) {
    throw new Problem('forbidden', `Only a key with the scope admin can change ${declared.name}.`)
  }
  if (!allows(principal.scopes, declared.name, access))
    throw forbidden(`${declared.name}:${access}`)
}

/** A character has at most three octets in UTF-8 (RFC 3629), so most targets need not be encoded. */
function isTooLong(target: string): boolean {
  return target.length * 3 > targetBytesMax && Buffer.byteLength(target) > targetBytesMax
}

function tooLong(): Problem {
  return new Problem(
    'uri-too-long',
    `The URI has more than ${targetBytesMax} octets. Send the parameters in the body of a POST ` +
      'to the same path with X-HTTP-Method-Override: GET.',
  )
}

function notHere(path: string): Problem {
  return new Problem('not-found', `There is nothing at ${path}. GET / says what there is.`)
}

function forbidden(scope: string): Problem {
  return new Problem('forbidden', `The key lacks the scope ${scope}.`)
}
