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
