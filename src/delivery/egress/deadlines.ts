import type { Clock } from '../../core/ports/clock.ts'

/** Pending deadline. */
interface Waiting {
  readonly due: number
  readonly wake: () => void
}

/**
 * Creates a clock for waits that are nearly always cancelled, such as request deadlines. Waits of
 * equal
 * length share one timer, because the first one started is the first one due. Separate timers would
 * be
 * armed and disarmed thousands of times a second.
 */
export function deadlines(clock: Clock): Clock {
  /** By their length. A set keeps the order. */
  const queues = new Map<number, Set<Waiting>>()

  const arm = (delayMs: number, queue: Set<Waiting>): void => {
    const [first] = queue
    if (first === undefined) queues.delete(delayMs)
    else clock.after(first.due - clock.monotonic(), () => wakeDue(delayMs, queue))
  }
  const wakeDue = (delayMs: number, queue: Set<Waiting>): void => {
    const now = clock.monotonic()
    for (const waiting of queue) {
      if (waiting.due > now) break
      queue.delete(waiting)
      waiting.wake()
    }
    arm(delayMs, queue)
  }

  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (delayMs, wake) => {
      const waiting = { due: clock.monotonic() + delayMs, wake }
      const known = queues.get(delayMs)
      const queue = known ?? new Set<Waiting>()
      queue.add(waiting)
      if (known === undefined) {
        queues.set(delayMs, queue)
        arm(delayMs, queue)
      }
      return () => void queue.delete(waiting)
    },
  }
}
