import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import { StoreUnavailable, type Store } from '../../core/ports/store.ts'
import { returns } from '../credits/credits.ts'
import { writeOutcome, type HandedOver } from './outcome.ts'
import type { Receipt } from '../reports/receipt.ts'

/** What the queue of outcomes needs. */
export interface OutcomeQueueOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  /** Called after the commit with the first time at which a receipt that is now expected is overdue. */
  readonly onExpected: (until: Instant) => void
  /** Given when a store that cannot be written is waited for no longer. */
  readonly signal: AbortSignal
  /** How long an outcome waits for others, and above all for its receipts. */
  readonly gatherMs: number
}

/** The outcomes of hand-overs on their way into the store, many in one transaction. */
export interface OutcomeQueue {
  /** Kept when the outcome is written, or is given up: then the claim runs out, as uncertain. */
  add(handedOver: HandedOver): Promise<void>
  /**
   * Has a receipt written together with the outcome that tells of its part; null where no such outcome
   * waits. Kept as whether it was written.
   */
  join(receipt: Receipt): Promise<boolean> | null
  /** Says whether somebody waits for outcomes to be written: then they wait for nothing, those there included. */
  press(isPressed: boolean): void
}

/** The most outcomes in one transaction: enough to share its cost, few enough to keep it short. */
const batchMax = 100

/** How long to wait for a store that cannot be written. */
const restMs = 500

interface Entry {
  readonly handedOver: HandedOver
  readonly receipts: Receipt[]
  readonly ended: PromiseWithResolvers<boolean>
}

/** Makes a queue of outcomes. Its length is bounded by whoever adds. */
export function outcomeQueue(options: OutcomeQueueOptions): OutcomeQueue {
  const { clock, log, signal, gatherMs } = options
  const waiting = waitingOutcomes()
  let writing = false
  const moment = moments(clock, gatherMs)

  const drain = async (): Promise<void> => {
    writing = true
    while (waiting.size > 0) {
      // A microtask at least, so that what ends together is written together.
      if (waiting.size < batchMax) await moment.pass()
      let batch: readonly Entry[] = []
      // Chosen when the transaction begins: what comes until then is of it.
      await write(() => (batch = batch.length > 0 ? batch : waiting.take(batchMax)))
      for (const { ended } of batch) ended.resolve(false)
    }
    writing = false
  }

  /** Never throws: one outcome that cannot be written does not hold up the others. */
  const write = async (choose: () => readonly Entry[]): Promise<void> => {
    try {
      await commit(options, choose)
    } catch (error) {
      const batch = choose()
      log('error', 'outcomes not written', { error, count: batch.length })
      if (error instanceof StoreUnavailable) {
        await wait(clock, restMs, signal)
        if (!signal.aborted) await write(choose)
      } else if (batch.length > 1) {
        for (const entry of batch) await write(() => [entry])
      }
    }
  }

  return {
    add: async (handedOver) => {
      const entry = { handedOver, receipts: [], ended: Promise.withResolvers<boolean>() }
      waiting.add(entry)
      if (!writing) void drain()
      await entry.ended.promise
    },
    join: (receipt) => {
      const entry = waiting.of(receipt)
      entry?.receipts.push(receipt)
      return entry?.ended.promise ?? null
    },
    press: moment.press,
  }
}

/** A moment that is waited for, unless somebody presses. */
function moments(clock: Clock, ms: number) {
  let pressed = false
  let patience = new AbortController()
  return {
    pass: async (): Promise<void> => {
      if (ms === 0 || pressed) return
      patience = new AbortController()
      await wait(clock, ms, patience.signal)
    },
    press: (isPressed: boolean): void => {
      pressed = isPressed
      if (isPressed) patience.abort()
    },
  }
}

/** Writes what is chosen in one transaction. */
async function commit(
  { store, clock, newId, onExpected }: OutcomeQueueOptions,
  choose: () => readonly Entry[],
): Promise<void> {
  const at = clock.now()
  const until = await store.transact(async (transaction) => {
    const back = returns(transaction, newId)
    // Those of different messages side by side, so that the store is asked for all at once.
    const ends = await Promise.all(
      [...Map.groupBy(choose(), messageOf).values()].map(async (own) => {
        let first = Infinity
        for (const { handedOver, receipts } of own) {
          const writing = { at, returns: back, receipts }
          const expiresAt = await writeOutcome(transaction, handedOver, writing)
          first = Math.min(first, expiresAt ?? Infinity)
        }
        return first
      }),
    )
    await back.settle(at)
    return Math.min(...ends)
  })
  for (const { ended } of choose()) ended.resolve(true)
  if (until !== Infinity) onExpected(until)
}

/** Those of two accounts with one identifier are written one after the other, too: no harm. */
function messageOf({ handedOver }: Entry): string {
  return handedOver.handOver.kept.message.id
}

/** Outcomes that wait to be written, in order, and by the carrier's identifiers of their parts. */
function waitingOutcomes() {
  const entries: Entry[] = []
  /** By carrier; names put together would be made, and looked up, three times for each part. */
  const byPart = new Map<string, Map<string, Entry>>()
  const partsOf = (carrier: string): Map<string, Entry> => {
    const known = byPart.get(carrier) ?? new Map<string, Entry>()
    byPart.set(carrier, known)
    return known
  }

  return {
    get size() {
      return entries.length
    },
    add: (entry: Entry): void => {
      entries.push(entry)
      const parts = partsOf(entry.handedOver.carrier)
      for (const id of partIds(entry)) parts.set(id, entry)
    },
    of: ({ carrier, carrierMessageId }: Receipt): Entry | undefined =>
      byPart.get(carrier)?.get(carrierMessageId),
    take: (limit: number): readonly Entry[] => {
      const taken = entries.splice(0, limit)
      for (const entry of taken) {
        const parts = partsOf(entry.handedOver.carrier)
        for (const id of partIds(entry)) parts.delete(id)
      }
      return taken
    },
  }
}

function partIds({ handedOver: { outcome } }: Entry): readonly string[] {
  return outcome.kind === 'SUBMITTED' ? outcome.carrierMessageIds : []
}
