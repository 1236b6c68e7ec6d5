import type { Clock } from '../../../core/ports/clock.ts'

/** Measures the rate of accepted parts over the last second. */
export interface AcceptedRate {
  count(): void
  /** Parts per second: over a second, or over the shorter time since the first part after a pause. */
  perSecond(): number
}

/** The number of slots in a counted second, and their length. */
const slots = 20
const slotMs = 50

/** The shortest time that a rate is calculated from. */
const spanMsMin = 200

/** Creates a meter that has counted nothing. */
export function acceptedRate(clock: Clock): AcceptedRate {
  const counts = Array.from({ length: slots + 1 }, () => 0)
  let current = 0
  let since = -Infinity

  /** Clears the slots that have passed. */
  const advance = (): number => {
    const now = clock.monotonic()
    const slot = Math.floor(now / slotMs)
    const passed = Math.min(slot - current, counts.length)
    for (let index = 1; index <= passed; index += 1) counts[(current + index) % counts.length] = 0
    current = slot
    return now
  }
  const total = (): number => counts.reduce((sum, count) => sum + count, 0)

  return {
    count: () => {
      const now = advance()
      if (total() === 0) since = now
      const index = current % counts.length
      counts[index] = (counts[index] ?? 0) + 1
    },
    perSecond: () => {
      const spanMs = Math.min(Math.max(advance() - since, spanMsMin), slots * slotMs)
      return (total() * 1000) / spanMs
    },
  }
}
