import { wait, type Clock, type Instant } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/log.ts'
import { StoreUnavailable, type Store, type Transaction } from '../core/store.ts'
import { returns } from './credits.ts'
import { writeOutcome, type HandedOver } from './outcome.ts'

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
}

/** The outcomes of hand-overs on their way into the store, many in one transaction. */
export interface OutcomeQueue {
  /** Kept when the outcome is written, or is given up: then the claim runs out, as uncertain. */
  add(handedOver: HandedOver): Promise<void>
}

/** The most outcomes in one transaction: enough to share its cost, few enough to keep it short. */
const batchMax = 100

/** How long to wait for a store that cannot be written. */
const restMs = 500

interface Entry {
  readonly handedOver: HandedOver
  readonly written: () => void
}

/** Makes a queue of outcomes. Its length is bounded by whoever adds. */
export function outcomeQueue(options: OutcomeQueueOptions): OutcomeQueue {
  const { store, clock, newId, log, onExpected, signal } = options
  let waiting: Entry[] = []
  let writing = false

  const drain = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      await write(batch.map(({ handedOver }) => handedOver))
      for (const { written } of batch) written()
    }
    writing = false
  }

  /** Never throws: one outcome that cannot be written does not hold up the others. */
  const write = async (batch: readonly HandedOver[]): Promise<void> => {
    try {
      await commit(batch)
    } catch (error) {
      log('error', 'outcomes not written', { error, count: batch.length })
      if (error instanceof StoreUnavailable) {
        await wait(clock, restMs, signal)
        if (!signal.aborted) await write(batch)
      } else if (batch.length > 1) {
        for (const handedOver of batch) await write([handedOver])
      }
    }
  }

  const commit = async (batch: readonly HandedOver[]): Promise<void> => {
    const at = clock.now()
    const until = await store.transact((transaction) => writeBatch(transaction, batch, at, newId))
    if (until !== Infinity) onExpected(until)
  }

  return {
    add: (handedOver) =>
      new Promise((written) => {
        waiting.push({ handedOver, written })
        // A microtask later, so that what ends together is written together.
        if (!writing) queueMicrotask(() => writing || void drain())
      }),
  }
}

/**
 * Writes down outcomes: those of different messages side by side, so that the store is asked for all
 * at once. Returns until when the first receipts are expected.
 */
async function writeBatch(
  transaction: Transaction,
  batch: readonly HandedOver[],
  at: Instant,
  newId: NewId,
): Promise<Instant> {
  const back = returns(transaction, newId)
  const byMessage = [...Map.groupBy(batch, messageOf).values()]
  const ends = await Promise.all(
    byMessage.map(async (own) => {
      let first = Infinity
      for (const handedOver of own) {
        first = Math.min(first, (await writeOutcome(transaction, handedOver, at, back)) ?? Infinity)
      }
      return first
    }),
  )
  await back.settle(at)
  return Math.min(...ends)
}

function messageOf({ handOver: { account, kept } }: HandedOver): string {
  return `${account} ${kept.message.id}`
}
