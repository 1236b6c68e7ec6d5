import { setTimeout } from 'node:timers/promises'
import type { Clock, Instant } from '../../src/core/ports/clock.ts'
import type { PoolUse } from '../../src/core/ports/store-health.ts'
import { waiterHeap, type Waiter } from './waiter-heap.ts'

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
  quiet: () => Promise<unknown> = () => settle(rounds),
): VirtualClock {
  let elapsed = 0
  let offset = start
  let order = 0
  let waiting = 0
  const waiters = waiterHeap()

  /** The next that was not called off. */
  const next = (): Waiter | undefined => {
    while (waiters.first()?.isOver === true) waiters.takeFirst()
    return waiters.first()
  }

  return {
    now: () => Math.floor(offset + elapsed),
    monotonic: () => elapsed,
    after: (delayMs, wake) => {
      const due = elapsed + Math.max(delayMs, 0)
      const waiter = { due, order: (order += 1), wake, isOver: false }
      waiters.add(waiter)
      waiting += 1
      return () => {
        if (!waiter.isOver) waiting -= 1
        waiter.isOver = true
      }
    },
    advance: async (ms) => {
      const end = elapsed + ms
      await quiet()
      for (let first = next(); first && first.due <= end; first = next()) {
        waiters.takeFirst()
        first.isOver = true
        waiting -= 1
        elapsed = Math.max(elapsed, first.due)
        first.wake()
        await quiet()
      }
      elapsed = end
      await quiet()
    },
    jump: (ms) => {
      offset += ms
    },
    waiting: () => waiting,
  }
}

/**
 * The same over a server: time stands still until no connection of its pools is busy. What travels between
 * nodes needs `graceMs` of real time more.
 */
export function patientClock(pools: () => readonly PoolUse[], graceMs = 0): VirtualClock {
  return virtualClock(Date.UTC(2026, 0, 1), settleRounds, () => untilIdle(pools, graceMs))
}

async function untilIdle(pools: () => readonly PoolUse[], graceMs: number): Promise<void> {
  await settle()
  if (graceMs > 0) await setTimeout(graceMs)
  while (pools().some(({ busy, waiting }) => busy + waiting > 0)) {
    await setTimeout(1)
    await settle()
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
