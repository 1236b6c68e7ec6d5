import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { Effects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { CreditMoves } from '../../sql/queues/credit-moves.ts'
import type { LateWrites } from '../../sql/late-writes.ts'

/** What a transaction that writes does. */
export type WriteWork<T> = (connection: SqlConnection, turn: TransactionContext) => MaybePromise<T>

/** One run of a work. */
export interface TransactionContext {
  /** Take what it leaves to do. */
  readonly effects: Effects
  /** It was overtaken more than once, and should keep others from what it reads. */
  readonly isPatient: boolean
  /** Other works are at work in the same transaction. */
  readonly isTogether: boolean
  /** Credits that the transaction has moved: they are written before it ends. */
  readonly moves: CreditMoves
  /** Writes that come last, together with those of the others. */
  readonly late: LateWrites
}
