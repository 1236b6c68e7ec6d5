import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { ExpectedReceipt } from '../../core/ports/receipts.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { loop, type Loop } from '../submission/loop.ts'
import { applyReceipt } from './receipt.ts'

/** What the overdue loop needs. */
export interface OverdueLoopOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** The most parts in one transaction. */
const batchMax = 200

/** The net beneath the wake-ups. */
const pollMs = 30_000

/** Makes the loop that gives up waiting for receipts: their parts become UNKNOWN. */
export function overdueLoop({ store, clock, log }: OverdueLoopOptions): Loop {
  const work = (): Promise<Instant | null> =>
    store.transact(async (transaction) => {
      const now = clock.now()
      const parts = await transaction.receipts.overdue(now, batchMax)
      for (const part of parts) await giveUp(transaction, part, now)
      return parts.length === batchMax ? now : transaction.receipts.nextOverdueAt()
    })
  return loop({ name: 'overdue', clock, log, pollMs, work })
}

/** A receipt that came early and was not matched is the better answer. */
async function giveUp(transaction: Transaction, part: ExpectedReceipt, at: Instant): Promise<void> {
  const { carrier, carrierMessageId } = part
  for (const early of await transaction.receipts.take(carrier, carrierMessageId)) {
    await applyReceipt(transaction, early, at)
  }
  const outcome = { type: 'UNKNOWN', detail: null } as const
  await applyReceipt(transaction, { carrier, carrierMessageId, outcome }, at)
}
