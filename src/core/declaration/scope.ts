/** What a key may do with a collection. */
export type Access = 'read' | 'write'

/** Tells whether a set of scopes contains `admin`. */
export function isAdministrator(scopes: readonly string[]): boolean {
  return scopes.includes('admin')
}

/**
 * Tells whether scopes allow an access to a collection at the root of the path, with all that is
 * nested in it. Writing does not imply reading. `admin` allows everything.
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

/** Tells whether a scope gives nothing that the scopes held do not give. */
export function covers(held: readonly string[], scope: string): boolean {
  if (isAdministrator(held)) return true
  if (scope === 'admin') return false
  if (held.includes('*') || held.includes(scope)) return true
  const [, access] = scope.split(':')
  return access !== undefined && held.includes(`*:${access}`)
}
