import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'

/**
 * How fast an SMSC lets us be that says when it is too fast, and not what is slow enough. After
 * ESME_RTHROTTLED nothing is sent for a while, then half as much at once as before; each answer
 * that is none lets a little more through.
 */
export interface Throttle {
  /** How many parts may be in flight. */
  readonly inFlightMax: number
  /** How long nothing may be sent, in milliseconds; 0 where it may. */
  pauseMs(): number
  /** The SMSC took a part. */
  faster(): void
  /** It refused one as too fast; `inFlight` were on their way. */
  slower(inFlight: number): void
}

/** The first pause, and the longest; each doubles the one before, until parts are taken again. */
const pauseMsMin = 500
const pauseMsMax = 15_000

/** Makes one that lets `max` parts be in flight at first, and never more; `onSlower` is told of each pause. */
export function throttle(
  max: number,
  clock: Clock,
  random: Random,
  onSlower: () => void = () => {},
): Throttle {
  let allowed = max
  let pause = pauseMsMin
  let pausedUntil = -Infinity

  return {
    get inFlightMax() {
      return Math.floor(allowed)
    },
    pauseMs: () => Math.max(pausedUntil - clock.monotonic(), 0),
    faster: () => {
      pause = pauseMsMin
      allowed = Math.min(allowed + 1 / allowed, max)
    },
    slower: (inFlight) => {
      // All that were on their way together are refused together: that is one sign, not many.
      if (clock.monotonic() < pausedUntil) return
      onSlower()
      pausedUntil = clock.monotonic() + pause * (1 + random.fraction() / 2)
      pause = Math.min(pause * 2, pauseMsMax)
      allowed = Math.max(Math.floor(inFlight / 2), 1)
    },
  }
}
