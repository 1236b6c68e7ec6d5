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

/**
 * Makes a clock that starts at `start`, milliseconds since 1970. Where nothing but promises is awaited,
 * one round is enough for what each waiter starts to settle.
 */
export function virtualClock(
  start: Instant = Date.UTC(2026, 0, 1),
  rounds: number = settleRounds,
): VirtualClock {
  let elapsed = 0
  let offset = start
  let order = 0
  const waiters = new Map<number, { due: number; wake: () => void }>()

  // They are in the order in which they came: of those due together the first comes first.
  const next = (): [number, { due: number; wake: () => void }] | undefined => {
    let first: [number, { due: number; wake: () => void }] | undefined
    for (const each of waiters) if (first === undefined || each[1].due < first[1].due) first = each
    return first
  }

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
      await settle(rounds)
      for (let first = next(); first && first[1].due <= end; first = next()) {
        const [id, { due, wake }] = first
        waiters.delete(id)
        elapsed = Math.max(elapsed, due)
        wake()
        await settle(rounds)
      }
      elapsed = end
      await settle(rounds)
    },
    jump: (ms) => {
      offset += ms
    },
    waiting: () => waiters.size,
  }
}

/** Input and output that is ready may lead to more of it. */
const settleRounds = 4

/** Lets pending promises and input and output that is ready run, several rounds of it. */
export async function settle(rounds: number = settleRounds): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}
