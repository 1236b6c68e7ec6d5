import type { Clock } from '../../core/ports/clock.ts'

/** A bounded number of tasks in flight. Those begun together share one deadline. */
export interface InFlight {
  /** Returns how many more tasks may begin. */
  room(): number
  /** Begins a task for each item. A task ends soon after its signal is aborted, and never throws. */
  begin<T>(items: readonly T[], task: InFlightTask<T>): void
  /** Resolves when every task has ended. Aborts those that still run after `graceMs`. */
  end(graceMs: number): Promise<void>
}

/** The work on one item. */
export type InFlightTask<T> = (item: T, signal: AbortSignal) => Promise<void>

/** The limits of the tasks in flight. */
export interface InFlightOptions {
  readonly clock: Clock
  /** Returns the most tasks at once. */
  readonly max: () => number
  /** The time after which the signal of a task is aborted. */
  readonly deadlineMs: number
  /** Called when a task has ended. */
  readonly onRoom: () => void
}

/** Counts and bounds the tasks in flight. */
export function inFlight({ clock, max, deadlineMs, onRoom }: InFlightOptions): InFlight {
  const batches = new Map<AbortController, Promise<unknown>>()
  let tasks = 0
  const run = async <T>(item: T, task: InFlightTask<T>, signal: AbortSignal): Promise<void> => {
    await task(item, signal)
    tasks -= 1
    onRoom()
  }

  return {
    room: () => max() - tasks,

    begin(items, task) {
      tasks += items.length
      const deadline = new AbortController()
      const cancel = clock.after(deadlineMs, () => deadline.abort())
      const all = items.map((item) => run(item, task, deadline.signal))
      const batch = Promise.all(all).finally(() => {
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
