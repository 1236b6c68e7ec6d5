import type { CarrierEvent, ReportEvents } from '../core/carrier.ts'
import type { Clock } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { EarlyReceipt } from '../core/receipts.ts'
import type { Store } from '../core/store.ts'
import { takeIn, type Arrival } from './incoming.ts'
import { takeInPart } from './incoming-part.ts'
import type { WishOf } from './keyword.ts'
import type { OutcomeQueue } from './outcome-queue.ts'
import { applyOutcome, applyReceipt } from './receipt.ts'

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
    const arrival = { transaction, carrier, newId, wishOf, at }
    await takeReceipts(
      arrival,
      events.flatMap((event) => receiptIn(arrival, event) ?? []),
    )
    for (const event of events) await takeIncoming(arrival, event)
  })
}

async function takeIncoming(arrival: Arrival, event: CarrierEvent): Promise<void> {
  if (event.kind === 'INCOMING') await takeIn(arrival, event)
  if (event.kind === 'INCOMING_PART') await takeInPart(arrival, event)
}

function receiptIn({ carrier, at }: Arrival, event: CarrierEvent): EarlyReceipt | null {
  if (event.kind !== 'RECEIPT') return null
  const { carrierMessageId, outcome } = event
  return { carrier, carrierMessageId, outcome, receivedAt: at }
}

/**
 * Those of different messages are taken side by side, so that the store is asked for all at once. A
 * receipt that no part matches is kept: it may have come before its part was stored.
 */
async function takeReceipts(
  { transaction, at }: Arrival,
  all: readonly EarlyReceipt[],
): Promise<void> {
  const { receipts } = transaction
  const found = await Promise.all(
    all.map(async (receipt) => ({
      receipt,
      part: await receipts.find(receipt.carrier, receipt.carrierMessageId),
    })),
  )
  const byMessage = Map.groupBy(found, ({ part }) => part && `${part.account} ${part.messageId}`)
  await Promise.all(
    [...byMessage].map(async ([message, own]) => {
      const [first] = own
      if (message === null) {
        await Promise.all(own.map(({ receipt }) => receipts.keep(receipt)))
      } else if (own.length === 1 && first?.part) {
        await applyOutcome(transaction, first.part, first.receipt.outcome, at)
      } else {
        // Each sees what the one before it did.
        for (const { receipt } of own) await applyReceipt(transaction, receipt, at)
      }
    }),
  )
}
