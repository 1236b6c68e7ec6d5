import { findNumber } from '../collections/numbers.ts'
import type { Clock, Instant } from '../core/ports/clock.ts'
import type { Transaction } from '../core/ports/store.ts'

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

/** The rates of senders that have one. */
export interface SenderRates {
  /** Reads the rates of senders that are not cached. */
  refresh(transaction: Transaction, senders: Iterable<string>): Promise<void>
  /** Returns null if only the carrier limits the sender. */
  bucketOf(sender: string): TokenBucket | null
}

/** The time for which a rate is cached. */
const freshMs = 5000

/** The most senders in the cache. */
const rememberedMax = 10_000

interface Known {
  readonly perSecond: number | null
  readonly bucket: TokenBucket | null
  readonly readAt: number
}

/** Creates the rates, which the senders' numbers define. */
export function senderRates(clock: Clock): SenderRates {
  const all = new Map<string, Known>()

  return {
    async refresh(transaction, senders) {
      const now = clock.monotonic()
      for (const sender of senders) {
        const known = all.get(sender)
        if (known !== undefined && now - known.readAt < freshMs) continue
        const number = await findNumber(transaction.everywhere, sender)
        const perSecond = number?.partsPerSecond ?? null
        const isSame = known?.perSecond === perSecond
        const bucket = perSecond === null ? null : tokenBucket(perSecond, clock)
        all.delete(sender)
        all.set(sender, { perSecond, bucket: isSame ? known.bucket : bucket, readAt: now })
        const [oldest] = all.keys()
        if (all.size > rememberedMax && oldest !== undefined) all.delete(oldest)
      }
    },
    bucketOf: (sender) => all.get(sender)?.bucket ?? null,
  }
}

/** A request for a share. */
export interface ShareRequest {
  readonly key: string
  readonly weight: number
  /** The largest useful share. */
  readonly max: number
}

/** Weighted shares of scarce capacity over time. No weight starves. */
export interface FairShares {
  /** Allots `slots`; requesters that have had least for their weight come first. */
  allot(wanting: readonly ShareRequest[], slots: number): ReadonlyMap<string, number>
  /** Records the number of slots that a requester used. */
  charge(wanting: Pick<ShareRequest, 'key' | 'weight'>, count: number): void
}

/**
 * Creates shares by virtual time: what a requester takes advances its clock by the count divided by
 * its weight, and the clock that is furthest back comes next. A requester that was absent saves
 * nothing up.
 */
export function fairShares(): FairShares {
  const clocks = new Map<string, number>()
  let present = 0

  return {
    allot(wanting, slots) {
      const known = new Set(wanting.map(({ key }) => key))
      for (const key of clocks.keys()) if (!known.has(key)) clocks.delete(key)
      if (clocks.size > 0) present = Math.max(present, Math.min(...clocks.values()))
      for (const { key } of wanting) clocks.set(key, clocks.get(key) ?? present)
      return shareOut(wanting, clocks, slots)
    },
    charge({ key, weight }, count) {
      clocks.set(key, (clocks.get(key) ?? present) + count / weight)
    },
  }
}

function shareOut(
  wanting: readonly ShareRequest[],
  clocks: ReadonlyMap<string, number>,
  slots: number,
): ReadonlyMap<string, number> {
  const [only] = wanting
  if (wanting.length === 1 && only !== undefined) {
    return new Map([[only.key, Math.max(0, Math.min(only.max, slots))]])
  }
  const rows = wanting.map((each) => ({ ...each, clock: clocks.get(each.key) ?? 0, given: 0 }))
  for (let slot = 0; slot < slots; slot += 1) {
    const open = rows.filter(({ given, max }) => given < max)
    const [first] = open
    if (first === undefined) break
    const next = open.reduce((least, row) => (row.clock < least.clock ? row : least), first)
    next.given += 1
    next.clock += 1 / next.weight
  }
  return new Map(rows.map(({ key, given }) => [key, given]))
}
