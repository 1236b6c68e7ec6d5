import type { Clock } from '../../core/ports/clock.ts'

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
  begin<T>(items: readonly T[], task: InFlightTask<T>): void
  /** Kept when every task has ended; those still running after `graceMs` are given their signal. */
  end(graceMs: number): Promise<void>
}

/**
 * What is done with an item. It may call `leave` once, when the item has left: then its room is another's,
 * and the task itself has still something to do.
 */
export type InFlightTask<T> = (item: T, signal: AbortSignal, leave: () => void) => Promise<void>

/** What bounds the tasks in flight. */
export interface InFlightOptions {
  readonly clock: Clock
  /** The most items at once. */
  readonly max: () => number
  /** How long a task has until it is given its signal. */
  readonly deadlineMs: number
  /** Called when an item has left, and when a task has ended. */
  readonly onRoom: () => void
}

/** So many tasks may go on whose items have left. */
const afterwardsMax = 100

/** Keeps count of the tasks in flight. */
export function inFlight({ clock, max, deadlineMs, onRoom }: InFlightOptions): InFlight {
  const batches = new Map<AbortController, Promise<unknown>>()
  /** Items that have not left, and all tasks, those that are to begin included. */
  let here = 0
  let tasks = 0
  const end = (isHere: boolean): void => {
    tasks -= 1
    if (isHere) here -= 1
    onRoom()
  }
  const run = async <T>(item: T, task: InFlightTask<T>, signal: AbortSignal): Promise<void> => {
    let isHere = true
    await task(item, signal, () => {
      isHere = false
      here -= 1
      onRoom()
    })
    end(isHere)
  }

  return {
    room: () => Math.min(max() - here, max() + afterwardsMax - tasks),

    hold() {
      here += 1
      tasks += 1
    },

    release: () => end(true),

    begin(items, task) {
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
