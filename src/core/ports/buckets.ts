import type { Instant } from './clock.ts'

/** How much of a rate is left, and when that was so. */
export interface BucketLevel {
  /** Less than 0 where more was taken than there was. */
  readonly tokens: number
  readonly filledAt: Instant
}

/** The rates that all nodes share. */
export interface Buckets {
  /** Null where nothing was taken yet. Who else asks for it waits until this transaction is over. */
  level(name: string): Promise<BucketLevel | null>
  put(name: string, level: BucketLevel): Promise<void>
}
