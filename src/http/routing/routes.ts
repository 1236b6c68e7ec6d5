import type { ResourceMethod } from '../../core/declaration/collection.ts'
import type { Access } from '../../core/declaration/scope.ts'
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
import { listOwn, readOwn } from '../../engine/operations/own.ts'
import { patch } from '../../engine/operations/patch.ts'
import { put } from '../../engine/operations/put.ts'
import { read } from '../../engine/operations/read.ts'
import { remove } from '../../engine/operations/remove.ts'
import { Problem } from '../../core/problem.ts'

/** What a method does on a path, and the access that it takes. */
export interface HttpRoute {
  readonly operation: EngineOperation
  readonly access: Access
  /** Whether the request has a body that the operation reads. */
  readonly takesBody: boolean
}

type Routes = Readonly<Partial<Record<ResourceMethod, HttpRoute>>>

/** The methods on a collection. Every collection has the same; its declaration says which it offers. */
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

/** The methods on what is shown of the account that asks. */
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

/** The route of a method on a resource, or null where the resource does not have the method. */
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
  // A long query comes as a POST, too, where nothing can be created.
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
  // Where nothing is created a POST may still be a query.
  const detail = allow.split(', ').includes(method)
    ? `${method} creates nothing here: it takes a query, as a form or with X-HTTP-Method-Override: GET.`
    : `${method} is not offered here; ${allow} are.`
  return new Problem('method-not-allowed', detail, { headers: { allow } })
}
