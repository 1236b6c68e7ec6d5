import { wait, type Clock, type Instant } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/log.ts'
import { StoreUnavailable, type Store } from '../core/store.ts'
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
    const until = await store.transact(async (transaction) => {
      let first = Infinity
      const back = returns(transaction, newId)
      for (const handedOver of batch) {
        const expired = await writeOutcome(transaction, handedOver, at, back)
        first = Math.min(first, expired ?? Infinity)
      }
      await back.settle(at)
      return first
    })
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
