import type { Clock } from '../../../core/ports/clock.ts'

/** Timers that end together. */
export interface Timers {
  after(delayMs: number, wake: () => void): void
  /** Calls all of them off. */
  end(): void
}

/** Makes an empty set of timers. */
export function timers(clock: Clock): Timers {
  const running = new Set<() => void>()
  let ended = false
  return {
    after: (delayMs, wake) => {
      if (ended) return
      const cancel = clock.after(delayMs, () => {
        running.delete(cancel)
        wake()
      })
      running.add(cancel)
    },
    end: () => {
      ended = true
      for (const cancel of running) cancel()
      running.clear()
    },
  }
}
