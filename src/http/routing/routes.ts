import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Access } from '../../core/account.ts'
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

/** A resource that a path names. */
export interface RoutedResource {
  readonly compiled: Compiled
  readonly parent: { readonly compiled: Compiled; readonly id: string } | null
  /** The identifier of the instance, or null for the collection. */
  readonly id: string | null
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
