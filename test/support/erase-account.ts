import { type AccountId, defaultAccount } from '../../src/core/account.ts'
import type { Transaction } from '../../src/core/ports/store.ts'
import { accounts } from '../../src/collections/accounts.ts'

/** Removes an account with all that it owns, whether there is an instance of it or not. */
export function eraseAccount(transaction: Transaction, account: AccountId): Promise<boolean> {
  return transaction.in(defaultAccount).remove(accounts, { id: account })
}
