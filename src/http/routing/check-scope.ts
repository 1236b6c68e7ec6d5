import type { Principal } from '../../core/declaration/rules.ts'
import { allows, type Access } from '../../core/declaration/scope.ts'
import { Problem } from '../../core/problem.ts'
import { isOwnSession } from './own-session.ts'
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
