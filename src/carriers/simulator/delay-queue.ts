import type { Clock } from '../../core/ports/clock.ts'

/** Dependencies of a delay queue. */
export interface DelayQueueOptions<T> {
  readonly clock: Clock
  /** Time from adding an item until it is due, in milliseconds. */
  readonly delayMs: number
  /** Is given what fell due, in order, in batches. Returns what is to be given again; never throws. */
  readonly deliver: (items: readonly T[]) => Promise<readonly T[]>
}

/** Items that all wait equally long: first in, first out, with one timer for all of them. */
export interface DelayQueue<T> extends AsyncDisposable {
  add(item: T): void
}

/** Maximum items of a batch: few enough that storing them delays no others. */
const batchMax = 200

/** Retry delay of what could not be delivered, in milliseconds. */
const retryMs = 1000

/** Creates a delay queue. Disposing stops deliveries and waits for the running one. */
export function delayQueue<T>({ clock, delayMs, deliver }: DelayQueueOptions<T>): DelayQueue<T> {
  const entries: { readonly dueAt: number; readonly item: T }[] = []
  const delivering = new Set<Promise<void>>()
  const repeats = repeated({ clock, deliver })
  let cancel: (() => void) | null = null
  let ended = false

  const arm = (): void => {
    const [first] = entries
    if (first === undefined || cancel !== null || ended) return
    cancel = clock.after(Math.max(first.dueAt - clock.monotonic(), 0), () => {
      cancel = null
      // No batch waits for another one: each is written with what it is the receipts of.
      for (let batch = takeDue(); batch.length > 0; batch = takeDue()) {
        const run = bring(batch).finally(() => delivering.delete(run))
        delivering.add(run)
      }
      arm()
    })
  }

  const takeDue = (): readonly T[] => {
    const now = clock.monotonic()
    const later = entries.findIndex(({ dueAt }, index) => dueAt > now || index === batchMax)
    return entries.splice(0, later === -1 ? entries.length : later).map(({ item }) => item)
  }

  const bring = async (batch: readonly T[]): Promise<void> => {
    repeats.add(await deliver(batch))
  }

  return {
    add(item) {
      entries.push({ dueAt: clock.monotonic() + delayMs, item })
      arm()
    },

    async [Symbol.asyncDispose]() {
      ended = true
      cancel?.()
      await Promise.all([...delivering, repeats.end()])
    },
  }
}

/** Delivers again what could not be delivered, a batch at a time; if nothing of one was taken, a second passes. */
function repeated<T>({ clock, deliver }: Pick<DelayQueueOptions<T>, 'clock' | 'deliver'>) {
  const failed: T[] = []
  let running = Promise.resolve()
  let cancel: (() => void) | null = null
  let ended = false

  const arm = (): void => {
    if (failed.length === 0 || cancel !== null || ended) return
    cancel = clock.after(retryMs, () => {
      running = bring().finally(() => {
        cancel = null
        arm()
      })
    })
  }
  const bring = async (): Promise<void> => {
    for (let isMoving = true; isMoving && failed.length > 0 && !ended;) {
      const batch = failed.splice(0, batchMax)
      const left = await deliver(batch)
      failed.push(...left)
      isMoving = left.length < batch.length
    }
  }
  return {
    add: (items: readonly T[]): void => {
      failed.push(...items)
      arm()
    },
    end: (): Promise<void> => {
      ended = true
      cancel?.()
      return running
    },
  }
}
