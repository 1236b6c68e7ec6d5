import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Transactions } from '../connection/transactions.ts'
import { repeat } from '../repeat.ts'
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
  let latest = first
  const onFault = (error: unknown): void => log('warn', 'cell layout not read', { error })
  const read = async (): Promise<void> => {
    latest = await loops.read(readLayout)
  }
  const reading = first.isDistributed ? repeat({ clock, everyMs: rereadMs, onFault }, read) : null
  return {
    layout: () => latest,
    [Symbol.asyncDispose]: async () => reading?.[Symbol.asyncDispose](),
  }
}
