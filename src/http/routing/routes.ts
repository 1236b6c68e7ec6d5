import type { ServedVersion } from '../../versions/versions.ts'
import type { Access } from '../../core/account.ts'
import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Catalogue } from '../../engine/catalogue.ts'
import type { Compiled } from '../../engine/compiled.ts'
import type { EngineOperation } from '../../engine/operation.ts'
import { create } from '../../engine/operations/create.ts'
import { list } from '../../engine/operations/list.ts'
import {
  addMember,
  listMembers,
  readMember,
  removeMember,
} from '../../engine/operations/members.ts'
import { patch } from '../../engine/operations/patch.ts'
import { put } from '../../engine/operations/put.ts'
import { read, listOwn, readOwn } from '../../engine/operations/read.ts'
import { remove } from '../../engine/operations/remove.ts'
import { Problem } from '../../core/problem.ts'
import type { PlainResponse } from '../server/request.ts'

/** A resource that a path names. */
export interface RoutedResource {
  readonly compiled: Compiled
  readonly parent: { readonly compiled: Compiled; readonly id: string } | null
  /** The identifier of the instance, or null for the collection. */
  readonly id: string | null
}

/** Splits a path into its decoded segments; throws if the percent-encoding is malformed. */
export function segmentsOf(path: string): readonly string[] {
  const segments: string[] = []
  for (let from = 1, to = 0; to !== -1; from = to + 1) {
    to = path.indexOf('/', from)
    segments.push(to === -1 ? path.slice(from) : path.slice(from, to))
  }
  if (!path.includes('%')) return segments
  const decoded = decode(segments)
  if (decoded.some((segment) => segment.includes('\0'))) {
    throw new Problem(
      'invalid-request',
      'The path has the character U+0000, which no text may have.',
    )
  }
  return decoded
}

function decode(segments: readonly string[]): readonly string[] {
  try {
    return segments.map((segment) => decodeURIComponent(segment))
  } catch {
    throw new Problem(
      'invalid-request',
      'The path is not percent-encoded UTF-8 (RFC 3986 section 2.1).',
    )
  }
}

/**
 * Returns the resource that the path segments after the version name, in the words of that version.
 * Throws `not-found`, or `gone` if the version renamed the collection.
 */
export function findResource(
  catalogue: Catalogue,
  version: ServedVersion,
  segments: readonly string[],
): RoutedResource {
  const [first = '', id, second, nestedId, ...rest] = segments
  const root = catalogue.find(version.collectionUp(first) ?? '')
  if (root === null || root.declared.parent !== null) throw noCollection(version, segments)
  if (second === undefined) return { compiled: root, parent: null, id: named(id) }

  const nested = catalogue.find(version.collectionUp(`${first}/${second}`) ?? '')
  if (nested === null || rest.length > 0) {
    throw unknownPath(version, `Instances of ${first} have no such path.`)
  }
  const parent = { compiled: root, id: id ?? '' }
  return { compiled: nested, parent, id: named(nestedId) }

  /** A path that ends with a slash names nothing. */
  function named(text: string | undefined): string | null {
    if (text === '') throw unknownPath(version, 'The path must not end with a slash.')
    return text ?? null
  }
}

function noCollection(version: ServedVersion, [name = '', ...rest]: readonly string[]): Problem {
  const successor = version.movedTo(name)
  if (successor === null) {
    return unknownPath(version, `Unknown collection ${JSON.stringify(name)}.`)
  }
  const url = ['', version.name, successor, ...rest.map(encodeURIComponent)].join('/')
  return new Problem('gone', `${name} are called ${successor} in ${version.name}.`, {
    headers: { link: `<${url}>; rel="successor-version"` },
  })
}

function unknownPath(version: ServedVersion, detail: string): Problem {
  return new Problem('not-found', `${detail} GET /${version.name} lists the collections.`)
}

/** The operation of a method on a path, and the access that it requires. */
export interface HttpRoute {
  readonly operation: EngineOperation
  readonly access: Access
  /** True if the operation reads a body. */
  readonly takesBody: boolean
}

type Routes = Readonly<Partial<Record<ResourceMethod, HttpRoute>>>

/** Routes of collections. A declaration selects from them. */
const collectionRoutes: Routes = {
  GET: { operation: list, access: 'read', takesBody: false },
  POST: { operation: create, access: 'write', takesBody: true },
}

/** The methods on an instance. */
const instanceRoutes: Routes = {
  GET: { operation: read, access: 'read', takesBody: false },
  PUT: { operation: put, access: 'write', takesBody: true },
  PATCH: { operation: patch, access: 'write', takesBody: true },
  DELETE: { operation: remove, access: 'write', takesBody: false },
}

/** The methods on the members of something, and on one of them. */
const memberRoutes: { readonly collection: Routes; readonly instance: Routes } = {
  collection: {
    GET: { operation: listMembers, access: 'read', takesBody: false },
    POST: { operation: addMember, access: 'write', takesBody: true },
  },
  instance: {
    GET: { operation: readMember, access: 'read', takesBody: false },
    DELETE: { operation: removeMember, access: 'write', takesBody: false },
  },
}

/** Routes of resources that an account reads of itself. */
const ownRoutes: { readonly collection: Routes; readonly instance: Routes } = {
  collection: { GET: { operation: listOwn, access: 'read', takesBody: false } },
  instance: { GET: { operation: readOwn, access: 'read', takesBody: false } },
}

/** Returns the route of a method on a resource, or null if the resource lacks the method. */
export function findRoute(resource: RoutedResource, method: string): HttpRoute | null {
  const routes = routesOf(resource)
  const offered = offeredMethods(resource).find((each) => each === method)
  return offered === undefined ? null : (routes[offered] ?? null)
}

function routesOf({ compiled, id }: RoutedResource): Routes {
  if (compiled.members !== null) {
    const routes = compiled.declared.parent === null ? ownRoutes : memberRoutes
    return routes[id === null ? 'collection' : 'instance']
  }
  return id === null ? collectionRoutes : instanceRoutes
}

/** The value of `Allow` (RFC 9110 section 10.2.1) for a resource. */
export function allowed(resource: RoutedResource): string {
  const methods: string[] = [...offeredMethods(resource)]
  if (methods.includes('GET')) methods.splice(1, 0, 'HEAD')
  // If POST cannot create, it still takes a long query.
  if (methods.includes('GET') && resource.id === null) {
    methods.push(...(methods.includes('POST') ? ['QUERY'] : ['POST', 'QUERY']))
  }
  return [...methods, 'OPTIONS'].join(', ')
}

function offeredMethods({ compiled, id }: RoutedResource): readonly ResourceMethod[] {
  const { methods } = compiled.declared
  return id === null ? methods.collection : methods.instance
}

/** The refusal of a method that a path does not have; `allow` are those it has (RFC 9110 section 15.5.6). */
export function notAllowed(method: string, allow: string): Problem {
  // If POST cannot create, it may still be a query.
  const detail = allow.split(', ').includes(method)
    ? `${method} creates nothing here. Send a query as a form or with X-HTTP-Method-Override: GET.`
    : `${method} is not allowed; use ${allow}.`
  return new Problem('method-not-allowed', detail, { headers: { allow } })
}

/** The refusal of a method on a resource, with the reason if the declaration gives one. */
export function notAllowedOn(resource: RoutedResource, method: string, path: string): Problem {
  const allow = allowed(resource)
  const offered = offeredMethods(resource)
  if (resource.id !== null && offered.length === 0) {
    const list = path.slice(0, path.lastIndexOf('/'))
    const detail = `${method} is not allowed: ${list} is only listed, its instances have no path. Use GET ${list}.`
    return new Problem('method-not-allowed', detail, { headers: { allow } })
  }
  if (allow.split(', ').includes(method) || offered.some((each) => each !== 'GET'))
    return notAllowed(method, allow)
  const detail = `${method} is not allowed: this is read only; use ${allow}.`
  return new Problem('method-not-allowed', detail, { headers: { allow } })
}

/** The response to OPTIONS. */
export function options(allow: string): PlainResponse {
  return { status: 204, headers: { allow }, body: null }
}
