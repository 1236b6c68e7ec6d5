import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'

/** Tokens left in a bucket, and when that was measured. */
export interface BucketLevel {
  /** Less than 0 where more was taken than there was. */
  readonly tokens: number
  readonly filledAt: Instant
}

/** A token bucket: tokens accumulate at a steady rate. */
export interface TokenBucket {
  /** Returns the number of tokens, rounded down; 0 or less if more were taken than there were. */
  available(): number
  /** Takes tokens, even more than there are: then the next one takes longer. */
  take(count: number): void
  /** Returns the time until there is a token. */
  waitMs(): number
  /** Returns the level, for other nodes. */
  level(now: Instant): BucketLevel
  /** Sets the level that a node has stored for all nodes. */
  become(level: BucketLevel, now: Instant): void
}

/** Creates a bucket that fills at `perSecond` and holds the tokens of one second, at least one. */
export function tokenBucket(perSecond: number, clock: Clock): TokenBucket {
  const capacity = Math.max(1, perSecond)
  let tokens = capacity
  let filledAt = clock.monotonic()
  /** The time, by any node's wall clock, up to which tokens were added. */
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

/** The largest difference between the clocks of two nodes. */
const clocksApartMs = 10_000

/** The rounding error of sums of fractions. */
const tolerance = 1e-9

/** The names of levels in the store begin so. */
const prefix = 'rate/'

/** The owner of a level: each node may change it. */
const allNodes = ''

/** Buckets by their names in the store. */
export type NamedBuckets = ReadonlyMap<string, TokenBucket>

/**
 * Sets buckets to their stored levels, and locks these until the transaction ends: together the
 * nodes never exceed a rate.
 */
export async function readShared(
  { leases }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  // Lock in a fixed order to avoid deadlocks.
  for (const [name, bucket] of [...named].toSorted(byName)) {
    const level = await leases.read(prefix + name)
    if (level !== null) bucket.become(JSON.parse(level) as BucketLevel, now)
  }
}

/** Stores the levels for all nodes. */
export async function writeShared(
  { leases }: Transaction,
  named: NamedBuckets,
  now: Instant,
): Promise<void> {
  for (const [name, bucket] of named) {
    await leases.take([prefix + name], allNodes, now, now, JSON.stringify(bucket.level(now)))
  }
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
