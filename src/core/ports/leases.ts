import type { Instant } from './clock.ts'

/** A lease that is held. The fence grows with every change of hands. */
export interface Lease {
  readonly name: string
  readonly fence: number
}

/** What one node alone may do at a time, by name. */
export interface NamedLeases {
  /**
   * Takes for `owner`, until `until`, those of the names that nobody else holds at `now`; what it holds
   * already it holds on. Returns those that it has.
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
