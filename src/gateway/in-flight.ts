import type { Clock } from '../core/clock.ts'

/** What is in flight: a bounded number of tasks, those begun together under one deadline. */
export interface InFlight {
  /** How many more tasks may begin. */
  room(): number
  /** Keeps room for a task that is to begin; gives back that of one that does not. */
  hold(): void
  release(): void
  /**
   * Begins a task for each item, for which room is held. A task ends soon after its signal is given,
   * and never throws.
   */
  begin<T>(items: readonly T[], task: (item: T, signal: AbortSignal) => Promise<void>): void
  /** Kept when every task has ended; those still running after `graceMs` are given their signal. */
  end(graceMs: number): Promise<void>
}

/** What bounds the tasks in flight. */
export interface InFlightOptions {
  readonly clock: Clock
  /** The most tasks at once. */
  readonly max: () => number
  /** How long a task has until it is given its signal. */
  readonly deadlineMs: number
  /** Called when a task has ended. */
  readonly onRoom: () => void
}

/** Keeps count of the tasks in flight. */
export function inFlight({ clock, max, deadlineMs, onRoom }: InFlightOptions): InFlight {
  const batches = new Map<AbortController, Promise<unknown>>()
  let count = 0

  return {
    room: () => max() - count,

    hold: () => void (count += 1),

    release() {
      count -= 1
      onRoom()
    },

    begin(items, task) {
      const deadline = new AbortController()
      const cancel = clock.after(deadlineMs, () => deadline.abort())
      const tasks = items.map(async (item) => {
        await task(item, deadline.signal)
        count -= 1
        onRoom()
      })
      const batch = Promise.all(tasks).finally(() => {
        cancel()
        batches.delete(deadline)
      })
      batches.set(deadline, batch)
    },

    async end(graceMs) {
      const cancel = clock.after(graceMs, () => {
        for (const deadline of batches.keys()) deadline.abort()
      })
      await Promise.all(batches.values())
      cancel()
    },
  }
}
