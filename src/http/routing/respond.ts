import { allows } from '../../core/account.ts'
import { Problem } from '../../core/problem.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { Respond } from '../server/handle.ts'
import { header, type PlainResponse, received, type RequestHead } from '../server/request.ts'
import {
  checkAccept,
  checkScope,
  checkTargetLength,
  forbidden,
  isLongQuery,
  isSignIn,
  json,
  overridesMethod,
  typesOf,
  withOwnSession,
} from './check-head.ts'
import { inChosenAccount } from './chosen-account.ts'
import type { Edge, HtmlPage, VersionedRequest, View } from './edge.ts'
import { holdResponse, operate } from './operate.ts'
import { readQueryString, refuseParameters } from './read-request.ts'
import {
  allowed,
  findResource,
  findRoute,
  type HttpRoute,
  notAllowed,
  notAllowedOn,
  options,
  type RoutedResource,
  segmentsOf,
} from './routes.ts'

/** The methods that the service knows; others are not implemented anywhere. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])

/**
 * The life of a request, in the order of the checks: version, collection, credentials, method,
 * scope; then, in the operation: existence, condition, body.
 */
export function respond(edge: Edge): Respond {
  const deepest = Math.max(...Array.from(edge.pages.keys(), (path) => segmentsOf(path).length))
  return (request, extraHeaders, correlation) => {
    const [path, query] = splitTarget(request.target)
    if (!methods.has(request.method)) {
      throw new Problem('not-implemented', `Unknown method ${request.method}.`)
    }
    if (path === '*') return onlyOptions(request)
    const [first = '', ...names] = segmentsOf(path)
    // A look-up in a `Map` keeps the text of a path in memory: those of instances are not worth that.
    const page = names.length < deepest ? edge.pages.get(path) : undefined
    if (page !== undefined) return onlyGet(request, page)
    if (first === 'console') return onlyGet(request, edge.console)
    checkTargetLength(request.target)

    if (!/^v\d/.test(first)) throw noResource(path)
    const version = edge.versions.find(first)
    Object.assign(extraHeaders, version.headers)
    const versioned = { edge, version, request, query, extraHeaders, correlation }
    return inVersion(versioned, path, names)
  }
}

/** Splits a target into its path and its query, which may be empty. */
function splitTarget(target: string): readonly [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

/** Responds below a version. Callbacks and the sign-in at a provider need no key: their paths come first. */
function inVersion(
  versioned: VersionedRequest,
  path: string,
  names: readonly string[],
): MaybePromise<PlainResponse> {
  const { edge, version, request, correlation } = versioned
  const [first = '', second = '', third, fourth = ''] = names
  if (names.length === 4 && first === 'carriers' && third === 'callbacks')
    return edge.callback(request, second, fourth, edge.clientAddress)
  if (names.length === 2 && first === 'sessions') {
    const signingIn = edge.openId(second, request, { version: version.name, correlation })
    if (signingIn !== null) return signingIn
  }
  const view = names.length === 1 ? edge.views.get(first) : undefined
  return view === undefined ? onResource(versioned, path, names) : readView(versioned, view)
}

/** Returns the principal of a request; throws if it has no access. */
function authenticateRequest(
  { edge, request }: VersionedRequest,
  collection: string,
): MaybePromise<Principal> {
  const { authenticate, maintenance } = edge
  if (!maintenance.isOn()) return authenticate(request)
  // Clients without a key learn about the maintenance, not about the missing key.
  const principalOf = (async () => authenticate(request))()
  const known = principalOf.catch(() => null)
  return known.then((principal) => {
    maintenance.check(request, collection, principal)
    return principalOf
  })
}

/** Counts a request of a key; throws if there are too many. */
function countRequest({ edge, extraHeaders }: VersionedRequest, principal: Principal): Principal {
  Object.assign(extraHeaders, edge.limit(principal))
  return principal
}

function onResource(
  versioned: VersionedRequest,
  path: string,
  names: readonly string[],
): MaybePromise<PlainResponse> {
  const { edge, version, request } = versioned
  const resource = findResource(edge.engine.catalogue, version, names)
  if (request.method === 'OPTIONS') return options(allowed(resource))
  if (isSignIn(resource, request)) return onSignIn(versioned, path)
  return andThen(authenticateRequest(versioned, ownerName(resource)), (principal) =>
    onRoute(versioned, path, resource, countRequest(versioned, principal)),
  )
}

function onSignIn(versioned: VersionedRequest, path: string): Promise<PlainResponse> {
  const { edge, version, request, query, correlation } = versioned
  refuseParameters(readQueryString(query), request.method)
  checkAccept(header(request, 'accept'), json)
  const authenticate = async (): Promise<Principal> =>
    countRequest(versioned, await authenticateRequest(versioned, 'sessions'))
  return edge.signIn({ request, path, version: version.name, correlation, authenticate })
}

/** Returns the name of the collection whose scope a resource takes. */
function ownerName(resource: RoutedResource): string {
  return (resource.parent ?? resource).compiled.declared.name
}

/** Decides on the head of a request, and then receives its body. */
function onRoute(
  versioned: VersionedRequest,
  path: string,
  named: RoutedResource,
  principal: Principal,
): MaybePromise<PlainResponse> {
  const { edge, request, query } = versioned
  const { clock } = edge.engine
  const { route, isLong } = routeOf(named, request, path)
  const resource = withOwnSession(named, principal)
  checkScope(principal, resource, route.access)
  checkAccept(header(request, 'accept'), typesOf(resource, route))
  const asSent = readQueryString(query)
  if (route.access === 'write') refuseParameters(asSent, request.method)

  const head = { path, resource, route, isLong, asSent }
  if ('body' in request) return operate(versioned, head, request, principal)
  const startedAt = clock.monotonic()
  return andThen(received(request, principal.account), (whole) => {
    if (clock.monotonic() - startedAt < slowBodyMs)
      return operate(versioned, head, whole, principal)
    return andThen(authenticateRequest(versioned, ownerName(resource)), (now) => {
      checkScope(now, resource, route.access)
      return operate(versioned, head, whole, now)
    })
  })
}

/** After this time, a body may have outlived its key: the key is checked again. In milliseconds. */
const slowBodyMs = 1000

/** Returns the route of a request. A long query is a GET with parameters in the body. */
function routeOf(
  resource: RoutedResource,
  request: RequestHead,
  path: string,
): { readonly route: HttpRoute; readonly isLong: boolean } {
  if (resource.id === null && isLongQuery(request)) {
    const list = findRoute(resource, 'GET')
    if (list !== null) return { route: list, isLong: true }
    // A request that overrides its method with GET must not create.
    if (overridesMethod(request)) throw notAllowed('GET', allowed(resource))
  }
  const route = findRoute(resource, request.method)
  if (route === null) throw notAllowedOn(resource, request.method, path)
  return { route, isLong: false }
}

async function readView(versioned: VersionedRequest, view: View): Promise<PlainResponse> {
  const { edge, version, request, query } = versioned
  if (request.method === 'OPTIONS') return options('GET, HEAD, OPTIONS')
  const principal = countRequest(versioned, await authenticateRequest(versioned, view.name))
  if (request.method !== 'GET') throw notAllowed(request.method, 'GET, HEAD, OPTIONS')
  if (!allows(principal.scopes, view.name, 'read')) throw forbidden(`${view.name}:read`)
  checkAccept(header(request, 'accept'), view.types)
  const read = { principal, parameters: readQueryString(query) }
  const chosen = await inChosenAccount(read, edge.engine)
  const isStillAllowed = async (): Promise<boolean> => {
    try {
      const now = await edge.authenticate(request)
      return allows(now.scopes, view.name, 'read')
    } catch {
      return false
    }
  }
  const response = await view.get({
    ...chosen,
    asSent: read.parameters,
    request,
    version,
    isStillAllowed,
  })
  return holdResponse(edge.inFlight, principal.account, response)
}

/** `OPTIONS *` asks about the service as a whole (RFC 9110 section 9.3.7). */
function onlyOptions(request: RequestHead): PlainResponse {
  if (request.method === 'OPTIONS') return options([...methods].join(', '))
  throw notAllowed(request.method, 'OPTIONS')
}

function onlyGet(request: RequestHead, page: HtmlPage): MaybePromise<PlainResponse> {
  if (request.method === 'OPTIONS') return options('GET, HEAD, OPTIONS')
  if (request.method !== 'GET') throw notAllowed(request.method, 'GET, HEAD, OPTIONS')
  return page(request)
}

function noResource(path: string): Problem {
  return new Problem('not-found', `No resource at ${path}. See GET /.`)
}
