import type { Compiled } from './compiled.ts'

/** The parameter by which an administrator reads in another account. */
export const accountParameter = 'account'

/**
 * Returns true if an administrator chooses the account of a read. In other collections `account` is a
 * field, or all instances belong to the installation.
 */
export function choosesAccount(compiled: Compiled, parent: Compiled | null): boolean {
  const { owned, administratorsOnly } = (parent ?? compiled).declared
  return !owned && !administratorsOnly && compiled.declared.fields[accountParameter] === undefined
}

/** Returns true if `account` filters a list by the account that instances belong to, or that they name. */
export function filtersByAccount({ declared }: Compiled): boolean {
  const field = declared.fields[accountParameter]
  if (field === undefined) return false
  return declared.owned || (field.kind === 'reference' && field.collection === 'accounts')
}
