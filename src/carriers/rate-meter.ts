import type { Clock } from '../core/ports/clock.ts'

/** Counts how much happens a second. */
export interface RateMeter {
  count(): void
  /** Rate per second over the last full seconds. */
  perSecond(): number
}

/** Over how many seconds it is measured. */
const seconds = 5

/** Makes a meter that has counted nothing. */
export function rateMeter(clock: Clock): RateMeter {
  const counts = Array.from({ length: seconds + 1 }, () => 0)
  let current = 0

  /** Clears the seconds that have passed since it was last looked at. */
  const turn = (): void => {
    const now = Math.floor(clock.monotonic() / 1000)
    const passed = Math.min(now - current, counts.length)
    for (let index = 1; index <= passed; index += 1) counts[(current + index) % counts.length] = 0
    if (passed > 0) current = now
  }

  return {
    count: () => {
      turn()
      const place = current % counts.length
      counts[place] = (counts[place] ?? 0) + 1
    },
    perSecond: () => {
      turn()
      const total = counts.reduce((sum, count) => sum + count, 0)
      return (total - (counts[current % counts.length] ?? 0)) / seconds
    },
  }
}
