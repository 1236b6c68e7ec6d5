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
import { EventsNotStored } from '../../core/ports/events-not-stored.ts'
import { type Store, StoreUnavailable, type Transaction } from '../../core/ports/store.ts'
import { storeIncoming, storePart } from './incoming.ts'
import type { KeywordReader } from './keyword.ts'
import { applyReceipt, applyToPart } from './receipt.ts'
import type { Arrival } from './received-message.ts'

/** The dependencies of reports. */
export interface ReportOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly wishOf: KeywordReader
  readonly counts?: CarrierCounts
}

/**
 * Creates the receiver of carriers' reports. All events of one call are stored in one commit for each shard, whatever
 * becomes of other shards.
 */
export function reportEvents(options: ReportOptions): ReportEvents {
  const { store } = options
  return async (carrier, events) => {
    const { placed, failures } = await place(store, carrier, events)
    const shardOf = ({ account }: PlacedEvent): Shard =>
      account === null ? wholeStore : store.shardOf(account)
    const groups = Map.groupBy(placed, shardOf)
    const outcomes = await Promise.all(
      [...groups].map(([shard, own]) => storeOrSplit(options, carrier, shard, own)),
    )
    throwIfAny([...failures, ...outcomes.flat()], events.length)
  }
}

/** Events that were not stored, and why. */
interface Failure {
  readonly events: readonly CarrierEvent[]
  readonly error: unknown
}

/** Stores events of a shard. Those of unknown accounts may concern several servers: each then stands for itself. */
async function storeOrSplit(
  options: ReportOptions,
  carrier: string,
  shard: Shard,
  own: readonly PlacedEvent[],
): Promise<readonly Failure[]> {
  try {
    await storeIn(options, carrier, shard, own)
    return []
  } catch (error) {
    const isInPart = error instanceof StoreUnavailable && error.isInPart
    const isMixed = isInPart && shard === wholeStore && own.length > 1
    if (!isMixed) return [{ events: own.map(({ event }) => event), error }]
    const failures: Failure[] = []
    for (const one of own) failures.push(...(await storeOrSplit(options, carrier, shard, [one])))
    return failures
  }
}

async function storeIn(
  { store, clock, newId, wishOf, counts }: ReportOptions,
  carrier: string,
  shard: Shard,
  own: readonly PlacedEvent[],
): Promise<void> {
  const work = async (transaction: Transaction): Promise<readonly ReceiptMatch[]> => {
    const at = clock.now()
    const arrival = { transaction, carrier, newId, wishOf, at }
    const receipts = own.flatMap((placed) => receiptIn(arrival, placed) ?? [])
    const found = await takeReceipts(transaction, receipts, at)
    for (const { event } of own) await takeIncoming(arrival, event)
    return found
  }
  for (const match of await store.transact(work, 'ALONE', shard)) counts?.receipted(carrier, match)
}

function throwIfAny(failures: readonly Failure[], all: number): void {
  const [first] = failures
  if (first === undefined) return
  const lost = new Set(failures.flatMap(({ events }) => events))
  throw lost.size === all ? first.error : new EventsNotStored(lost, first.error)
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

/** Finds the accounts of events. A server of the directory may be unavailable. */
async function place(
  { routes }: Store,
  carrier: string,
  events: readonly CarrierEvent[],
): Promise<{ readonly placed: readonly PlacedEvent[]; readonly failures: readonly Failure[] }> {
  const failures: Failure[] = []
  const placed = await Promise.all(
    events.map(async (event) => {
      if (event.kind !== 'RECEIPT' || routes === undefined) return { event, account: null }
      try {
        return { event, account: await routes.accountOf(carrier, event.carrierMessageId) }
      } catch (error) {
        failures.push({ events: [event], error })
        return null
      }
    }),
  )
  return { placed: placed.filter((one) => one !== null), failures }
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
  // A part that is stored later gets a receipt that matches none: `expect` returns it then.
  const found = await Promise.all(
    all.map(async (receipt) => ({
      receipt,
      match: await transaction.receipts.match(receipt, receipt.account),
    })),
  )
  // Two accounts may use one identifier: their receipts are then applied in sequence, which is
  // harmless.
  const byMessage = Map.groupBy(found, ({ match }) =>
    typeof match === 'string' ? null : match.messageId,
  )
  const matches = await Promise.all(
    [...byMessage.values()].map(async (own) => {
      const taken: ReceiptMatch[] = []
      for (const { receipt, match } of own) {
        if (typeof match === 'string') taken.push(match)
        // Each of several receipts needs the result of the one before it.
        else if (own.length > 1)
          taken.push(await applyReceipt(transaction, receipt, at, receipt.account))
        else taken.push(await applyToPart(transaction, match, receipt, at))
      }
      return taken
    }),
  )
  return matches.flat()
}
