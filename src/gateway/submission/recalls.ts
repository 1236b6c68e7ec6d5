import type { Clock } from '../../core/ports/clock.ts'

/**
 * The recalled messages: they were deleted while they waited at their carriers. Keys are submission
 * identifiers.
 */
export interface Recalls {
  add(submissionIds: readonly string[]): void
  has(submissionId: string): boolean
}

/** The most recalls remembered; beyond that the oldest are dropped. */
const recallsMax = 100_000

/** Creates the recalls. Each is remembered for `keptMs`, as long as a carrier may have its message. */
export function recalls(clock: Clock, keptMs: number): Recalls {
  /** Times of the recalls, oldest first. */
  const known = new Map<string, number>()

  const forget = (): void => {
    const old = clock.monotonic() - keptMs
    for (const [id, at] of known) {
      if (at >= old && known.size <= recallsMax) return
      known.delete(id)
    }
  }
  return {
    add: (submissionIds) => {
      if (submissionIds.length === 0) return
      for (const id of submissionIds) known.set(id, clock.monotonic())
      forget()
    },
    // Usually there are none, which this check makes fast.
    has: (submissionId) => known.size > 0 && known.has(submissionId),
  }
}
