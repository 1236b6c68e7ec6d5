import type { CarrierEvent, ReportEvents } from '../core/carrier.ts'
import type { Clock } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { EarlyReceipt } from '../core/receipts.ts'
import type { Store, Transaction } from '../core/store.ts'
import { takeIn, type Arrival } from './incoming.ts'
import { takeInPart } from './incoming-part.ts'
import type { WishOf } from './keyword.ts'
import { applyReceipt } from './receipt.ts'

/** What taking in carriers' reports needs. */
export interface ReportOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly wishOf: WishOf
}

/** Makes what carriers report to: all events of one call are of one commit. */
export function reportEvents({ store, clock, newId, wishOf }: ReportOptions): ReportEvents {
  return (carrier, events) =>
    store.transact(async (transaction) => {
      const at = clock.now()
      for (const event of events) {
        await takeEvent({ transaction, carrier, newId, wishOf, at }, event)
      }
    })
}

async function takeEvent(arrival: Arrival, event: CarrierEvent): Promise<void> {
  const { transaction, carrier, at } = arrival
  switch (event.kind) {
    case 'INCOMING':
      return takeIn(arrival, event)
    case 'INCOMING_PART':
      return takeInPart(arrival, event)
    case 'RECEIPT': {
      const { carrierMessageId, outcome } = event
      return takeReceipt(transaction, { carrier, carrierMessageId, outcome, receivedAt: at })
    }
  }
}

/** A receipt that no part matches is kept: it may have come before its part was stored. */
async function takeReceipt(transaction: Transaction, receipt: EarlyReceipt): Promise<void> {
  const known = await applyReceipt(transaction, receipt, receipt.receivedAt)
  if (!known) await transaction.receipts.keep(receipt)
}
