import type { AccountId } from '../../../src/core/account.ts'
import type { Consumers } from '../../../src/core/ports/consumers.ts'
import type { NamedLeases } from '../../../src/core/ports/leases.ts'
import type { Receipts } from '../../../src/core/ports/receipts.ts'
import type { Reader, Transaction, Writer } from '../../../src/core/ports/store.ts'
import type { Submissions } from '../../../src/core/ports/submissions.ts'

/** What of a transaction is another thing than it was. */
export interface Changed {
  readonly in?: (writer: Writer) => Writer
  readonly submissions?: (submissions: Submissions) => Submissions
  readonly receipts?: (receipts: Receipts) => Receipts
  readonly consumers?: (consumers: Consumers) => Consumers
  readonly recall?: (submissionId: string) => void
}

/** A transaction as it is, but for what is changed. What is not asked for is not made. */
export class PassedOn implements Transaction {
  readonly #transaction: Transaction
  readonly #changed: Changed
  readonly #writers = new Map<AccountId, Writer>()

  constructor(transaction: Transaction, changed: Changed) {
    this.#transaction = transaction
    this.#changed = changed
  }

  in(account: AccountId): Writer {
    const known = this.#writers.get(account)
    if (known !== undefined) return known
    const given = this.#transaction.in(account)
    const writer = this.#changed.in?.(given) ?? given
    this.#writers.set(account, writer)
    return writer
  }

  get everywhere(): Reader {
    return this.#transaction.everywhere
  }

  get submissions(): Submissions {
    const { submissions } = this.#transaction
    return this.#changed.submissions?.(submissions) ?? submissions
  }

  get receipts(): Receipts {
    const { receipts } = this.#transaction
    return this.#changed.receipts?.(receipts) ?? receipts
  }

  get consumers(): Consumers {
    const { consumers } = this.#transaction
    return this.#changed.consumers?.(consumers) ?? consumers
  }

  get leases(): NamedLeases {
    return this.#transaction.leases
  }

  recall(submissionId: string): void {
    const { recall = (id: string) => this.#transaction.recall(id) } = this.#changed
    recall(submissionId)
  }
}
