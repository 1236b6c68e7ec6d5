/** Kind of access to a collection. */
export type Access = 'read' | 'write'

/** Returns true if a set of scopes contains `admin`. */
export function isAdministrator(scopes: readonly string[]): boolean {
  return scopes.includes('admin')
}

/**
 * Returns true if scopes allow an access to a root collection, with everything nested in it.
 * Writing does not imply reading. `admin` allows everything.
 */
export function allows(scopes: readonly string[], collection: string, access: Access): boolean {
  return scopes.some(
    (scope) =>
      scope === 'admin' ||
      scope === '*' ||
      scope === `*:${access}` ||
      scope === `${collection}:${access}`,
  )
}

/** Returns true if a scope adds nothing to the held ones. */
export function covers(held: readonly string[], scope: string): boolean {
  if (isAdministrator(held)) return true
  if (scope === 'admin') return false
  if (held.includes('*') || held.includes(scope)) return true
  const [, access] = scope.split(':')
  return access !== undefined && held.includes(`*:${access}`)
}
