import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'

/**
 * Adapts to an SMSC that reports a rate that is too high but not the allowed one. After
 * ESME_RTHROTTLED it pauses and halves the parts in flight; each other response raises them
 * slightly.
 */
export interface Throttle {
  /** Maximum parts in flight. */
  readonly inFlightMax: number
  /** Pause in milliseconds; 0 if parts may be sent. */
  pauseMs(): number
  /** The SMSC took a part. */
  faster(): void
  /** It refused one as too fast; `inFlight` were on their way. */
  slower(inFlight: number): void
}

/** The first pause, and the longest; each doubles the one before, until parts are taken again. */
const pauseMsMin = 500
const pauseMsMax = 15_000

/**
 * Creates a throttle that allows at most `max` parts in flight, and starts there; `onSlower`
 * receives each pause.
 */
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
