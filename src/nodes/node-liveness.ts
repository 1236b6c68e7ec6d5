import type { Instant } from '../core/ports/clock.ts'

/** A sign of life that the store took. */
export interface Heartbeat {
  /** When it was sent, and when the answer came, on the monotonic clock. */
  readonly began: number
  readonly ended: number
  /** The time of the store at it. */
  readonly now: Instant
}

/** Since when a node was surely among the others, without a gap. Times are on its monotonic clock. */
export interface NodeLiveness {
  beaten(beat: Heartbeat): void
  /** Whether no other can have taken this node for gone from `since` to `now`. */
  isHeld(since: number, now: number): boolean
  /**
   * Whether those that are not heard of are surely gone: where the store was away, or its clock was set,
   * the others may not have been able to say that they are there.
   */
  isSure(now: number): boolean
}

/** Two clocks that go on alike differ by less than this, in milliseconds, however long an answer took. */
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
