/** Counts by name. */
export type Counters = Readonly<Record<string, number>>

/** The range that a count must not leave. */
export interface CounterBounds {
  readonly atLeast: number
  readonly atMost: number
}

/** Result of a change within bounds. `count` is the count from now on. */
export interface CounterChange {
  readonly count: number
  /** False if the change would have exceeded the bounds: then nothing changed. */
  readonly isAdded: boolean
}

/** Time for which it is known who sent from an address, in milliseconds: seven days. */
export const rememberedMs = 7 * 24 * 3_600_000

/** Resources of accounts that no counter counts: waiting submissions, octets of idempotent responses. */
export type UsageKind = 'submissions' | 'idempotentResponses'

/** A part of what an account uses. */
export interface Usage {
  readonly used: number
  /** The row after which the next part begins; null if this is the last. */
  readonly next: string | null
}
