import { type AccountId, accountId } from '../../src/core/account.ts'

export const ours = accountId('ours')

/**
 * Another account, in the same cell as ours: in another one, the cell would hide a statement that lost its
 * account.
 */
export const theirs = accountId('theirs_70')

/** Accounts of three cells: with one or two of them, some faults of order and of isolation never show. */
export const fourAccounts: readonly AccountId[] = [
  ours,
  theirs,
  accountId('account_a'),
  accountId('account_b'),
]
