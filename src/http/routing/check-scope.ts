import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { type Access, allows } from '../../core/account.ts'
import { Problem } from '../../core/problem.ts'
import type { RequestHead } from '../server/request.ts'
import { isLongQuery } from './long-query.ts'
import type { RoutedResource } from './routes.ts'

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

/** Returns true for `POST /v1/sessions`, which reads its credentials itself. */
export function isSignIn(resource: RoutedResource, request: RequestHead): boolean {
  if (request.method !== 'POST' || resource.id !== null || !isSession(resource)) return false
  return !isLongQuery(request)
}

function isSession({ compiled }: RoutedResource): boolean {
  return qualifiedName(compiled.declared) === 'sessions'
}
