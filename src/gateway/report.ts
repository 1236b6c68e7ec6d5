import type { CarrierEvent, ReportEvents } from '../core/carrier.ts'
import type { Clock } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { EarlyReceipt } from '../core/receipts.ts'
import type { Store, Transaction } from '../core/store.ts'
import { takeIn, type Arrival } from './incoming.ts'
import { takeInPart } from './incoming-part.ts'
import type { WishOf } from './keyword.ts'
import type { OutcomeQueue } from './outcome-queue.ts'
import { applyReceipt } from './receipt.ts'

/** What taking in carriers' reports needs. */
export interface ReportOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly wishOf: WishOf
  /** Has a receipt written with the outcome that waits to be; null where none does. */
  readonly join: OutcomeQueue['join']
}

/**
 * Makes what carriers report to. All events of one call are of one commit, but for receipts of what was
 * submitted just now: those are of the commit that tells of it, so that none of them comes too early.
 */
export function reportEvents(options: ReportOptions): ReportEvents {
  return async (carrier, events) => {
    const alone: CarrierEvent[] = []
    const joined: (readonly [CarrierEvent, Promise<boolean>])[] = []
    for (const event of events) {
      const written = event.kind === 'RECEIPT' ? options.join({ ...event, carrier }) : null
      if (written === null) alone.push(event)
      else joined.push([event, written])
    }
    if (alone.length > 0) await takeEvents(options, carrier, alone)
    const left: CarrierEvent[] = []
    for (const [event, written] of joined) if (!(await written)) left.push(event)
    if (left.length > 0) await takeEvents(options, carrier, left)
  }
}

function takeEvents(
  { store, clock, newId, wishOf }: ReportOptions,
  carrier: string,
  events: readonly CarrierEvent[],
): Promise<void> {
  return store.transact(async (transaction) => {
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
