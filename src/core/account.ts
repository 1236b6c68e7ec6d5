declare const brand: unique symbol

/** The identifier of a tenant. Every instance but the installation's own belongs to exactly one. */
export type AccountId = string & { readonly [brand]: 'AccountId' }

/** Replaces the account in the few reads that cover all accounts. */
export const everyAccount = Symbol('every account')

/** One account, or all of them. Only administrators' requests and the loops see all. */
export type AccountReach = AccountId | typeof everyAccount

/** Takes a text that the store or a verified key vouches for as an account's identifier. */
export function accountId(text: string): AccountId {
  return text as AccountId
}

/** The administrator's own account, which also holds what belongs to the installation as a whole. */
export const defaultAccount = accountId('account_default')

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
