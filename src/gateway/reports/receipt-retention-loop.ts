import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { loop, type Loop } from '../submission/loop.ts'

/** What the loop needs. */
export interface ReceiptRetentionOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** How long a part is known after its receipt was due, and a receipt that no part matches is kept. */
export const receiptRetentionMs = 7 * 24 * 3_600_000

/** How long after the start it is looked first: then there is more urgent work. */
export const firstRetentionMs = 60_000

/** How often it is looked for what is too old. */
const pollMs = 3_600_000

/** The most that is forgotten in one transaction: it is over in milliseconds. */
const sliceMax = 200

/** How long others have between two slices. */
const restMs = 50

/** Makes the loop that forgets what was to correlate long ago, slice by slice. */
export function receiptRetentionLoop({ store, clock, log }: ReceiptRetentionOptions): Loop {
  const work = async (): Promise<Instant> => {
    const before = clock.now() - receiptRetentionMs
    const forgotten = await store.transact(({ receipts }) => receipts.trim(before, sliceMax))
    return clock.now() + (forgotten === sliceMax ? restMs : pollMs)
  }
  return loop({ name: 'receipt retention', clock, log, pollMs, work })
}
