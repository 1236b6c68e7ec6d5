import type { Instant } from './clock.ts'

/** A lease that is held. The fence grows with every change of hands. */
export interface Lease {
  readonly name: string
  readonly fence: number
}

/** Leases on names, each held by one node at a time. */
export interface NamedLeases {
  /**
   * Takes for `owner`, until `until`, the names without another holder at `now`, and prolongs the leases
   * that it has. Returns the names that it holds.
   */
  take(
    names: readonly string[],
    owner: string,
    now: Instant,
    until: Instant,
  ): Promise<readonly Lease[]>
  /** Lets others have what `owner` holds of these names. */
  release(names: readonly string[], owner: string): Promise<void>
}

/** Tokens left in a bucket, and when that was measured. */
export interface BucketLevel {
  /** Less than 0 where more was taken than there was. */
  readonly tokens: number
  readonly filledAt: Instant
}

/** The rates that all nodes share. */
export interface Buckets {
  /** Returns null for an unused bucket. Locks the bucket until this transaction ends. */
  level(name: string): Promise<BucketLevel | null>
  put(name: string, level: BucketLevel): Promise<void>
}
