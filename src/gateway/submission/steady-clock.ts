import type { Clock, Instant } from '../../core/ports/clock.ts'

/** A clock whose time never goes back. */
export interface SteadyClock extends Clock {
  /** Goes on from this time, where it is not there yet. */
  reach(at: Instant): void
}

/**
 * A clock whose time never goes back: where the wall clock is set back it goes on from where it was, at
 * half the pace, until the wall clock has caught up. What became due at once stays due, and what is put
 * off is put off for about as long as it was meant to be.
 */
export function steadyClock(clock: Clock): SteadyClock {
  let shown = clock.now()
  let shownAt = clock.monotonic()
  let isAhead = false
  return {
    ...clock,
    now: () => {
      const elapsedMs = Math.floor(clock.monotonic() - shownAt)
      const wall = clock.now()
      const onwards = shown + (isAhead ? Math.floor(elapsedMs / 2) : elapsedMs)
      isAhead = onwards > wall
      if (Math.max(onwards, wall) > shown) {
        shown = Math.max(onwards, wall)
        shownAt += elapsedMs
      }
      return shown
    },
    reach: (at) => {
      if (at <= shown) return
      shown = at
      shownAt = clock.monotonic()
      isAhead = at > clock.now()
    },
  }
}
