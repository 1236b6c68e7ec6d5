import type { Clock } from '../core/clock.ts'

/** What may be used at a steady rate. */
export interface TokenBucket {
  /** How many there are, rounded down; 0 or less where more was taken than there were. */
  available(): number
  /** Takes as many as were used, more than there are included: then it takes longer to the next. */
  take(count: number): void
  /** How long until there is one. */
  waitMs(): number
}

/** Makes a bucket that fills up at `perSecond` and holds what comes in one second, at least one. */
export function tokenBucket(perSecond: number, clock: Clock): TokenBucket {
  const capacity = Math.max(1, perSecond)
  let tokens = capacity
  let filledAt = clock.monotonic()

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
    waitMs() {
      fill()
      return tokens + tolerance >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000
    },
  }
}

/** Sums of fractions fall short by so much. */
const tolerance = 1e-9
