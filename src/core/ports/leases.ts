import type { Instant } from './clock.ts'

/** A name that one owner at a time holds, with what it says to the others. */
export interface Lease {
  readonly name: string
  readonly owner: string
  readonly until: Instant
  /** Opaque to the store. */
  readonly value: string
}

/** Leases, and the time by which all nodes judge them. */
export interface LeaseList {
  /** The time of the store if several nodes share it, else that of the caller. */
  readonly now: Instant
  readonly leases: readonly Lease[]
}

/** What nodes share: leases, and values by name. */
export interface NamedLeases {
  /**
   * Takes for `owner`, until `until`, the names without another holder at `now`, and prolongs the leases
   * that it has. Returns the names that it holds. What ends at once only stores a value for all.
   */
  take(
    names: readonly string[],
    owner: string,
    now: Instant,
    until: Instant,
    value?: string,
  ): Promise<readonly string[]>
  /**
   * Ends what `owner` holds of these names; with `endedAt` only the leases that ended by then. Returns the
   * names of those that it ended: of several concurrent callers only one gets each.
   */
  release(names: readonly string[], owner: string, endedAt?: Instant): Promise<readonly string[]>
  /** Returns the leases whose names begin with a prefix, by name; those that have ended, too. */
  list(prefix: string, now: Instant): Promise<LeaseList>
  /** Returns the value of a name, or null. Locks the name until this transaction ends. */
  read(name: string): Promise<string | null>
}
