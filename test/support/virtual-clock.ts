import type { Clock, Instant } from '../../src/core/clock.ts'

/** A clock that stands still until it is moved, and then wakes whoever waits, in order. */
export interface VirtualClock extends Clock {
  /** Moves time on, waking each waiter at its own time; lets what they start settle in between. */
  advance(ms: number): Promise<void>
  /** Moves the wall clock alone, as an administrator or NTP would. */
  jump(ms: number): void
  /** How many waiters there are. */
  waiting(): number
}

/** Makes a clock that starts at `start`, milliseconds since 1970. */
export function virtualClock(start: Instant = Date.UTC(2026, 0, 1)): VirtualClock {
  let elapsed = 0
  let offset = start
  let order = 0
  const waiters = new Map<number, { due: number; wake: () => void }>()

  const next = (): [number, { due: number; wake: () => void }] | undefined =>
    [...waiters].toSorted(([a, x], [b, y]) => x.due - y.due || a - b)[0]

  return {
    now: () => Math.floor(offset + elapsed),
    monotonic: () => elapsed,
    after: (delayMs, wake) => {
      const id = (order += 1)
      waiters.set(id, { due: elapsed + Math.max(delayMs, 0), wake })
      return () => waiters.delete(id)
    },
    advance: async (ms) => {
      const end = elapsed + ms
      await settle()
      for (let first = next(); first && first[1].due <= end; first = next()) {
        const [id, { due, wake }] = first
        waiters.delete(id)
        elapsed = Math.max(elapsed, due)
        wake()
        await settle()
      }
      elapsed = end
      await settle()
    },
    jump: (ms) => {
      offset += ms
    },
    waiting: () => waiters.size,
  }
}

/** Lets pending promises and input and output that is ready run, several rounds of it. */
export async function settle(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
