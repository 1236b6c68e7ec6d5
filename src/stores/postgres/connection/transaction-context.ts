import type { HeldCounters, LateWrites } from '../../sql/work.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { Effects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'

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
  /** Changes of locked counters. */
  readonly held: HeldCounters
  /** Last writes of the transaction, with those of other works. */
  readonly late: LateWrites
}
