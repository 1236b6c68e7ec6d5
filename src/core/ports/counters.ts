/** Counts by name. */
export type Counters = Readonly<Record<string, number>>

/** What accounts use and no counter counts: waiting submissions, octets of idempotent responses. */
export type UsageKind = 'submissions' | 'idempotentResponses'

/** A part of what an account uses. */
export interface Usage {
  readonly used: number
  /** The row after which the next part begins; null if this is the last. */
  readonly next: string | null
}
