import type { Clock } from '../../../core/ports/clock.ts'

/** A limit of parts a second. */
export interface SubmitRate {
  /** Returns the milliseconds until the next `parts` may leave; 0 if now. */
  waitMs(parts: number): number
  /** A part goes. */
  take(): void
  /**
   * A time from now at which a part that is not to wait here may come again: each one gets a later
   * one, so that those who are sent away come back at the rate and not all together.
   */
  laterMs(waiting: number): number
}

/** Burst after a pause, as a share of one second's parts: SMSCs count by the second. */
const burst = 0.05

/** The farthest that somebody is sent away: until then much may have changed. */
const laterMsMax = 5 * 60_000

/** When it comes again if the rate is no limit. */
const laterMsUnlimited = 1000

/** Makes a token bucket; an infinite rate is no limit. The rate may change at any time. */
export function rate(perSecond: () => number, clock: Clock): SubmitRate {
  let tokens = Infinity
  let filledAt = clock.monotonic()
  let promisedAt = 0

  /** Returns the tokens per millisecond. */
  const fill = (): number => {
    const now = clock.monotonic()
    const perMs = perSecond() / 1000
    const depth = Math.max(1, perMs * 1000 * burst)
    tokens = perMs === Infinity ? 0 : Math.min(depth, tokens + (now - filledAt) * perMs)
    filledAt = now
    return perMs
  }

  return {
    waitMs: (parts) => {
      const perMs = fill()
      if (perMs === Infinity) return 0
      // A thousandth of a token is not waited for: sums of fractions do not come out even.
      return tokens >= parts - 0.001 ? 0 : (parts - tokens) / perMs
    },
    take: () => {
      if (fill() !== Infinity) tokens -= 1
    },
    laterMs: (waiting) => {
      const perMs = fill()
      if (perMs === Infinity) return laterMsUnlimited
      const now = clock.monotonic()
      promisedAt = Math.max(promisedAt, now + waiting / perMs) + 1 / perMs
      return Math.min(promisedAt - now, laterMsMax)
    },
  }
}
