import type { Instant } from '../core/ports/clock.ts'

/** A sign of life that the store took. */
export interface Heartbeat {
  /** When it was sent, and when the answer came, on the monotonic clock. */
  readonly began: number
  readonly ended: number
  /** The time of the store at it. */
  readonly now: Instant
}

/**
 * Period in which other nodes must have seen this node, without a gap. Times are on its monotonic
 * clock.
 */
export interface NodeLiveness {
  beaten(beat: Heartbeat): void
  /** Returns true if no other node can have considered this one gone between `since` and `now`. */
  isHeld(since: number, now: number): boolean
  /**
   * Returns true if nodes without a heartbeat are gone: if the store was away or its clock was set,
   * they
   * may only have been unable to write one.
   */
  isSure(now: number): boolean
}

/** Largest difference between two clocks of equal speed, in milliseconds, for any response time. */
const driftMsMax = 1500

/** Begins with a node that the store does not know. `heldMs` is how long a sign of life is believed. */
export function standingFor(heldMs: number): NodeLiveness {
  let since = Infinity
  let until = -Infinity
  let ahead = 0

  return {
    beaten: ({ began, ended, now }) => {
      const drift = Math.abs(now - ended - ahead)
      if (ended >= until || drift > driftMsMax) since = ended
      until = began + heldMs
      ahead = now - ended
    },
    isHeld: (from, now) => from >= since && now < until,
    isSure: (now) => now < until && now - since >= heldMs,
  }
}
