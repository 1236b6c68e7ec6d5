import type { AccountId } from '../../core/account.ts'
import type {
  CarrierCounts,
  CarrierEvent,
  ReceiptMatch,
  ReportEvents,
} from '../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { type Shard, wholeStore } from '../../core/shard.ts'
import type { NewId } from '../../core/id.ts'
import type { UnmatchedReceipt } from '../../core/ports/receipts.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { storeIncoming, type Arrival } from './incoming.ts'
import { storePart } from './incoming-part.ts'
import type { KeywordReader } from './keyword.ts'
import { applyReceipt, applyToPart } from './receipt.ts'

/** The dependencies of reports. */
export interface ReportOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly wishOf: KeywordReader
  readonly counts?: CarrierCounts
}

/** Creates the receiver of carriers' reports. All events of one call are stored in one commit for each shard. */
export function reportEvents(options: ReportOptions): ReportEvents {
  const { store, clock, newId, wishOf, counts } = options
  return async (carrier, events) => {
    for (const [shard, own] of await byShard(store, carrier, events)) {
      const work = async (transaction: Transaction): Promise<readonly ReceiptMatch[]> => {
        const at = clock.now()
        const arrival = { transaction, carrier, newId, wishOf, at }
        const receipts = own.flatMap((placed) => receiptIn(arrival, placed) ?? [])
        const found = await takeReceipts(transaction, receipts, at)
        for (const { event } of own) await takeIncoming(arrival, event)
        return found
      }
      const matches = await store.transact(work, 'ALONE', shard)
      for (const match of matches) counts?.receipted(carrier, match)
    }
  }
}

/** An event, with its account if a directory knows it. */
interface PlacedEvent {
  readonly event: CarrierEvent
  readonly account: AccountId | null
}

/** A receipt, with its account if a directory knows it. */
interface PlacedReceipt extends UnmatchedReceipt {
  readonly account: AccountId | null
}

/** Groups events by the shard of their account. An event without a known account may go to any shard. */
async function byShard(
  { routes, shardOf }: Store,
  carrier: string,
  events: readonly CarrierEvent[],
): Promise<ReadonlyMap<Shard, readonly PlacedEvent[]>> {
  const placed = await Promise.all(
    events.map(async (event) => {
      if (event.kind !== 'RECEIPT' || routes === undefined) return { event, account: null }
      return { event, account: await routes.accountOf(carrier, event.carrierMessageId) }
    }),
  )
  return Map.groupBy(placed, ({ account }) => (account === null ? wholeStore : shardOf(account)))
}

async function takeIncoming(arrival: Arrival, event: CarrierEvent): Promise<void> {
  if (event.kind === 'INCOMING') await storeIncoming(arrival, event)
  if (event.kind === 'INCOMING_PART') await storePart(arrival, event)
}

function receiptIn(
  { carrier, at }: Arrival,
  { event, account }: PlacedEvent,
): PlacedReceipt | null {
  if (event.kind !== 'RECEIPT') return null
  const { carrierMessageId, outcome, code = null } = event
  return { carrier, carrierMessageId, outcome, code, receivedAt: at, account }
}

/**
 * Applies receipts and returns what each matched. Different messages run concurrently, so that a
 * remote store gets all queries together.
 */
async function takeReceipts(
  transaction: Transaction,
  all: readonly PlacedReceipt[],
  at: Instant,
): Promise<readonly ReceiptMatch[]> {
  const { receipts } = transaction
  const found = await Promise.all(
    all.map(async (receipt) => ({
      receipt,
      part: await receipts.find(receipt.carrier, receipt.carrierMessageId, receipt.account),
    })),
  )
  // Two accounts may use one identifier: their receipts are then applied in sequence, which is
  // harmless.
  const byMessage = Map.groupBy(found, ({ part }) => part && part.messageId)
  const matches = await Promise.all(
    [...byMessage.values()].map(async (own) => {
      const taken: ReceiptMatch[] = []
      for (const { receipt, part } of own) {
        // Its part may be stored later.
        if (part === null) taken.push((await receipts.keep(receipt)) ? 'UNMATCHED' : 'REPEATED')
        // Each of several receipts needs the result of the one before it.
        else if (own.length > 1)
          taken.push(await applyReceipt(transaction, receipt, at, receipt.account))
        else taken.push(await applyToPart(transaction, part, receipt, at))
      }
      return taken
    }),
  )
  return matches.flat()
}
