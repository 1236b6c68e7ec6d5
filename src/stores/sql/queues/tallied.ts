import type { AccountId } from '../../../core/account.ts'

/** A count that a transaction changes, and by how much. */
export interface Tallied {
  readonly account: AccountId
  readonly subject: string
  readonly name: string
  readonly by: number
}
