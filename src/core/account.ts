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
