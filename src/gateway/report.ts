import type { CarrierCounts, CarrierEvent, ReceiptMatch, ReportEvents } from '../core/carrier.ts'
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
  readonly counts?: CarrierCounts
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
    for (const [event, written] of joined) {
      if (await written) options.counts?.receipted(carrier, 'MATCHED')
      else left.push(event)
    }
    if (left.length > 0) await takeEvents(options, carrier, left)
  }
}

async function takeEvents(
  { store, clock, newId, wishOf, counts }: ReportOptions,
  carrier: string,
  events: readonly CarrierEvent[],
): Promise<void> {
  const matches = await store.transact(async (transaction) => {
    const at = clock.now()
    const found: (ReceiptMatch | null)[] = []
    for (const event of events) {
      found.push(await takeEvent({ transaction, carrier, newId, wishOf, at }, event))
    }
    return found
  })
  for (const match of matches) if (match !== null) counts?.receipted(carrier, match)
}

/** What a receipt found; null for anything else. */
async function takeEvent(arrival: Arrival, event: CarrierEvent): Promise<ReceiptMatch | null> {
  const { transaction, carrier, at } = arrival
  switch (event.kind) {
    case 'INCOMING':
      await takeIn(arrival, event)
      return null
    case 'INCOMING_PART':
      await takeInPart(arrival, event)
      return null
    case 'RECEIPT': {
      const { carrierMessageId, outcome } = event
      return takeReceipt(transaction, { carrier, carrierMessageId, outcome, receivedAt: at })
    }
  }
}

/** A receipt that no part matches is kept: it may have come before its part was stored. */
async function takeReceipt(transaction: Transaction, receipt: EarlyReceipt): Promise<ReceiptMatch> {
  const match = await applyReceipt(transaction, receipt, receipt.receivedAt)
  if (match === 'UNMATCHED') await transaction.receipts.keep(receipt)
  return match
}
