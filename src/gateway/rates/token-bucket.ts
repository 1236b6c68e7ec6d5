import type { BucketLevel } from '../../core/ports/buckets.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'

/** What may be used at a steady rate. */
export interface TokenBucket {
  /** How many there are, rounded down; 0 or less where more was taken than there were. */
  available(): number
  /** Takes as many as were used, more than there are included: then it takes longer to the next. */
  take(count: number): void
  /** How long until there is one. */
  waitMs(): number
  /** What there is, for other nodes. */
  level(now: Instant): BucketLevel
  /** Takes over what all nodes have left, as one of them wrote it. */
  become(level: BucketLevel, now: Instant): void
}

/** Makes a bucket that fills up at `perSecond` and holds what comes in one second, at least one. */
export function tokenBucket(perSecond: number, clock: Clock): TokenBucket {
  const capacity = Math.max(1, perSecond)
  let tokens = capacity
  let filledAt = clock.monotonic()
  /** Until when, by the wall clock of whichever node, tokens have been given. */
  let knownAt = 0

  const fill = (): void => {
    const now = clock.monotonic()
    tokens = Math.min(capacity, tokens + ((now - filledAt) / 1000) * perSecond)
    filledAt = now
  }

  return {
    available() {
      fill()
      return Math.floor(tokens + tolerance)
    },
    take(count) {
      fill()
      tokens -= count
    },
    level(now) {
      fill()
      return { tokens, filledAt: Math.max(now, knownAt) }
    },
    become(level, now) {
      // A wall clock that was set back far does not stop what is sent.
      const since = level.filledAt - now > clocksApartMs ? 0 : Math.max(now - level.filledAt, 0)
      tokens = Math.min(capacity, level.tokens + (since / 1000) * perSecond)
      knownAt = level.filledAt - now > clocksApartMs ? now : level.filledAt
      filledAt = clock.monotonic()
    },
    waitMs() {
      fill()
      return tokens + tolerance >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000
    },
  }
}

/** The clocks of two nodes differ by less. */
const clocksApartMs = 10_000

/** Sums of fractions fall short by so much. */
const tolerance = 1e-9
