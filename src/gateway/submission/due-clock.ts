import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'

/** The clock of due times, shared by all nodes. It never goes back. */
export interface DueClock extends Clock {
  /**
   * Advances to the latest time that any process over the store has stored, and stores its time while
   * submissions are due, at most every few seconds.
   */
  share(transaction: Transaction, isDue: () => boolean): Promise<void>
}

/** The interval of storing the time. After a restart the clock lags by at most this. */
const everyMs = 5000

/** The name under which the time is stored, next to the shared rates. */
const name = 'due time'

/** The owner of the stored time: each node may change it. */
const allNodes = ''

/**
 * Creates the clock. Nodes share one time: a node that is ahead would claim what others have
 * claimed. If the wall clock was set back, a new process continues from the stored time. Else
 * messages accepted before would wait until the wall clock has caught up.
 */
export function dueClock(wall: Clock): DueClock {
  const steady = steadyClock(wall)
  let [readAt, writtenAt] = [-Infinity, -Infinity]
  return {
    ...wall,
    now: steady.now,
    share: async ({ leases }, isDue) => {
      const monotonic = wall.monotonic()
      const writes = monotonic - writtenAt >= everyMs && isDue()
      if (!writes && monotonic - readAt < everyMs) return
      const text = await leases.read(name)
      const known = text === null ? null : Number(text)
      readAt = monotonic
      if (known !== null) steady.advanceTo(known)
      if (!writes && !isDue()) return
      writtenAt = monotonic
      const now = steady.now()
      if (now !== known) await leases.take([name], allNodes, now, now, String(now))
    },
  }
}

/**
 * Keeps time from going back. If the wall clock is set back, time continues at half the pace until the
 * wall clock has caught up: due messages stay due, and delays last about as long as intended.
 */
function steadyClock(wall: Clock) {
  let shown = wall.now()
  let shownAt = wall.monotonic()
  let isAhead = false
  return {
    now: (): Instant => {
      const elapsedMs = Math.floor(wall.monotonic() - shownAt)
      const now = wall.now()
      const onwards = shown + (isAhead ? Math.floor(elapsedMs / 2) : elapsedMs)
      isAhead = onwards > now
      if (Math.max(onwards, now) > shown) {
        shown = Math.max(onwards, now)
        shownAt += elapsedMs
      }
      return shown
    },
    advanceTo: (at: Instant): void => {
      if (at <= shown) return
      shown = at
      shownAt = wall.monotonic()
      isAhead = at > wall.now()
    },
  }
}
