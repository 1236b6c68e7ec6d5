import type { Clock } from '../../core/ports/clock.ts'

/** Dependencies of a delay queue. */
export interface DelayQueueOptions<T> {
  readonly clock: Clock
  /** Time from adding an item until it is due, in milliseconds. */
  readonly delayMs: number
  /** Is given what fell due, in order, in batches; one that it throws at is given again. */
  readonly deliver: (items: readonly T[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Items that all wait equally long: first in, first out, with one timer for all of them. */
export interface DelayQueue<T> extends AsyncDisposable {
  add(item: T): void
}

/** Maximum items of a batch: few enough that storing them delays no others. */
const batchMax = 200

/** Retry delay of a batch that could not be delivered, in milliseconds. */
const retryMs = 1000

/** Creates a delay queue. Disposing stops deliveries and waits for the running one. */
export function delayQueue<T>({
  clock,
  delayMs,
  deliver,
  onError,
}: DelayQueueOptions<T>): DelayQueue<T> {
  const entries: { readonly dueAt: number; readonly item: T }[] = []
  const delivering = new Set<Promise<void>>()
  let cancel: (() => void) | null = null
  let ended = false

  const arm = (): void => {
    const [first] = entries
    if (first === undefined || cancel !== null || ended) return
    cancel = clock.after(Math.max(first.dueAt - clock.monotonic(), 0), () => {
      cancel = null
      // The next batch does not wait for this one: each is written with what it is the receipts of.
      const run = bring(takeDue()).finally(() => delivering.delete(run))
      delivering.add(run)
      arm()
    })
  }

  const takeDue = (): readonly T[] => {
    const now = clock.monotonic()
    const later = entries.findIndex(({ dueAt }, index) => dueAt > now || index === batchMax)
    return entries.splice(0, later === -1 ? entries.length : later).map(({ item }) => item)
  }

  /** A failed batch is retried before all later ones. */
  const bring = async (batch: readonly T[]): Promise<void> => {
    try {
      if (batch.length > 0) await deliver(batch)
    } catch (error) {
      onError(error)
      const dueAt = clock.monotonic() + retryMs
      entries.unshift(...batch.map((item) => ({ dueAt, item })))
      arm()
    }
  }

  return {
    add(item) {
      entries.push({ dueAt: clock.monotonic() + delayMs, item })
      arm()
    },

    async [Symbol.asyncDispose]() {
      ended = true
      cancel?.()
      await Promise.all(delivering)
    },
  }
}
