import type { BucketLevel } from '../../core/ports/buckets.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'

/** A token bucket: tokens accumulate at a steady rate. */
export interface TokenBucket {
  /** Returns the number of tokens, rounded down; 0 or less if more were taken than there were. */
  available(): number
  /** Takes as many as were used, more than there are included: then it takes longer to the next. */
  take(count: number): void
  /** Returns the time until there is a token. */
  waitMs(): number
  /** Returns the level, for other nodes. */
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
      // A wall clock that was set back far must not stop sending.
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

/** The rounding error of sums of fractions. */
const tolerance = 1e-9

/** Rates by the name under which all nodes know them. */
export type NamedBuckets = ReadonlyMap<string, TokenBucket>

/**
 * Fills buckets up to what all nodes have left in them. Until the transaction is over other nodes that
 * ask for the same wait: together they take no more than there is.
 */
export async function readShared(
  { buckets }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  // In one order, so that two who ask for the same never wait for each other.
  for (const [name, bucket] of [...named].toSorted(byName)) {
    const level = await buckets.level(name)
    if (level !== null) bucket.become(level, now)
  }
}

/** Stores the levels for all nodes. */
export async function writeShared(
  { buckets }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  for (const [name, bucket] of named) await buckets.put(name, bucket.level(now))
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
