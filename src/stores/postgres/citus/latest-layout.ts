import { type Clock, wait } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Transactions } from '../connection/transactions.ts'
import { type CellLayout, readLayout } from './layout.ts'

/**
 * Interval between reads. After a shard moves, commits assume its former server until the next read, and
 * take two phases.
 */
const rereadMs = 5000

/** The layout of a store, which changes when a distributed one is rebalanced. */
export interface LatestLayout extends AsyncDisposable {
  layout(): CellLayout
}

/** Dependencies of the repeated reads. */
interface LayoutParts {
  readonly loops: Transactions
  readonly clock: Clock
  readonly log: Log
}

/** Reads the layout of a distributed store again and again. */
export function latestLayout(first: CellLayout, { loops, clock, log }: LayoutParts): LatestLayout {
  const stopping = new AbortController()
  let latest = first
  const keep = async (): Promise<void> => {
    while (first.isDistributed && !stopping.signal.aborted) {
      await wait(clock, rereadMs, stopping.signal)
      if (stopping.signal.aborted) return
      try {
        latest = await loops.read(readLayout)
      } catch (error) {
        log('warn', 'cell layout not read', { error })
      }
    }
  }
  const kept = keep()
  return {
    layout: () => latest,
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await kept
    },
  }
}
