/** Where a receiver takes the time from; tests give another. */
export interface ReceiverClock {
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Calls `ring` after `ms` milliseconds, unless the function that is returned is called before.
   */
  after(ms: number, ring: () => void): () => void
}

/** The time of the machine. */
export const systemClock: ReceiverClock = {
  now: () => Date.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
}
