/** The clock of a receiver; tests pass their own. */
export interface ReceiverClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `ring` after `ms` milliseconds. The returned function cancels the call. */
  after(ms: number, ring: () => void): () => void
}

/** The clock of the machine. */
export const systemClock: ReceiverClock = {
  now: () => Date.now(),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
}
