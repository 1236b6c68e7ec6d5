import type { Instant } from './clock.ts'

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
