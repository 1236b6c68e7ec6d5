import type { Clock } from '../../core/ports/clock.ts'

/** Messages that were deleted while they waited at their carriers, by the identifiers of their submissions. */
export interface Recalls {
  add(submissionIds: readonly string[]): void
  has(submissionId: string): boolean
}

/** The most recalls remembered; beyond that the oldest are dropped. */
const recallsMax = 100_000

/** Remembers recalls for as long as a carrier may have a message, which is `keptMs`. */
export function recalls(clock: Clock, keptMs: number): Recalls {
  /** In the order of time: when each came. */
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
    // Mostly there are none, and nothing is looked for.
    has: (submissionId) => known.size > 0 && known.has(submissionId),
  }
}
