import type { Transaction } from '../../core/ports/store.ts'
import type { SteadyClock } from './steady-clock.ts'

/** Keeps what is due by one time, which goes back for nobody. */
export interface DueTime {
  readonly clock: SteadyClock
  /**
   * Goes on from where any process over the store has come, and writes down where this one is, as long
   * as something is due: not more often than every few seconds.
   */
  share(transaction: Transaction, isDue: () => boolean): Promise<void>
}

/** A process that dies has written down its time so long ago at most; it is made up for in twice that. */
const everyMs = 5000

/** The name that the time is kept under, beside the rates: they, too, are shared. */
const name = 'due time'

/**
 * The time that what is due goes by. Nodes go by one time, since one that is ahead would take what others
 * have claimed; and a process that starts after the wall clock was set back goes on from where the last one
 * was, or what that had accepted would wait until the wall clock is there again.
 */
export function dueTime(clock: SteadyClock): DueTime {
  let [readAt, writtenAt] = [-Infinity, -Infinity]
  return {
    clock,
    share: async ({ buckets }, isDue) => {
      const monotonic = clock.monotonic()
      const writes = monotonic - writtenAt >= everyMs && isDue()
      if (!writes && monotonic - readAt < everyMs) return
      const known = await buckets.level(name)
      readAt = monotonic
      if (known !== null) clock.reach(known.filledAt)
      if (!writes && !isDue()) return
      writtenAt = monotonic
      const now = clock.now()
      if (now !== known?.filledAt) await buckets.put(name, { tokens: 0, filledAt: now })
    },
  }
}
