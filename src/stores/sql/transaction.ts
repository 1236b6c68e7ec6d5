import { type AccountId, everyAccount } from '../../core/account.ts'
import type { Receipts } from '../../core/ports/receipts.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Transaction, Writer } from '../../core/ports/store.ts'
import type { Submissions } from '../../core/ports/submissions.ts'
import { sqlConsumers } from './log/consumers.ts'
import { sqlLeases } from './queues/leases.ts'
import { sqlReader } from './rows/reader.ts'
import { sqlReceipts } from './queues/receipts.ts'
import { sqlSubmissions } from './queues/submissions.ts'
import type { Work } from './work.ts'
import { SqlWriter } from './rows/writer.ts'

/**
 * Runs a task in a transaction over a connection on which one has been begun. The caller writes the late
 * writes of the work.
 */
export function runTransaction<T>(
  work: Work,
  task: (transaction: Transaction) => MaybePromise<T>,
): MaybePromise<T> {
  return task(new SqlTransaction(work))
}

/**
 * Thousands are created each second, and most tasks use few parts. So each part is created at its first
 * use, and methods of a class are shared by all.
 */
class SqlTransaction implements Transaction {
  readonly #work: Work
  readonly #writers: SqlWriter[] = []
  #submissions: Submissions | null = null
  #receipts: Receipts | null = null

  constructor(work: Work) {
    this.#work = work
  }

  in(account: AccountId): Writer {
    const known = this.#writers.find((writer) => writer.account === account)
    if (known !== undefined) return known
    const writer = new SqlWriter(this.#work, account)
    this.#writers.push(writer)
    return writer
  }

  get everywhere() {
    return sqlReader(this.#work, everyAccount)
  }

  get submissions() {
    return (this.#submissions ??= sqlSubmissions(this.#work))
  }

  get receipts() {
    return (this.#receipts ??= sqlReceipts(this.#work))
  }

  get consumers() {
    return sqlConsumers(this.#work)
  }

  get leases() {
    return sqlLeases(this.#work)
  }

  recall(submissionId: string): void {
    this.#work.effects.recalled.push(submissionId)
  }
}
