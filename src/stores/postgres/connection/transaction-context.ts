import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { Effects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { CreditMoves } from '../../sql/queues/credit-moves.ts'
import type { LateWrites } from '../../sql/late-writes.ts'

/** The work of a transaction that writes. */
export type WriteWork<T> = (connection: SqlConnection, turn: TransactionContext) => MaybePromise<T>

/** One run of a work. */
export interface TransactionContext {
  /** Collects the effects. */
  readonly effects: Effects
  /** True after several serialization conflicts: the work should lock the rows that it reads. */
  readonly isPatient: boolean
  /** True if other works share the transaction. */
  readonly isTogether: boolean
  /** Credits that the transaction has moved. They are written before its end. */
  readonly moves: CreditMoves
  /** Last writes of the transaction, with those of other works. */
  readonly late: LateWrites
}
