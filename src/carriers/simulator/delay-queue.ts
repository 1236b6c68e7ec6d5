import type { Clock } from '../../core/ports/clock.ts'

/** What a delay queue needs. */
export interface DelayQueueOptions<T> {
  readonly clock: Clock
  /** How long after it was added an item falls due. */
  readonly delayMs: number
  /** Is given what fell due, in order, in batches; one that it throws at is given again. */
  readonly deliver: (items: readonly T[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Items that all wait equally long: first in, first out, with one timer for all of them. */
export interface DelayQueue<T> extends AsyncDisposable {
  add(item: T): void
}

/** The most items in a batch: few enough that taking them in holds up nobody for long. */
const batchMax = 200

/** How long a batch waits that could not be delivered. */
const retryMs = 1000

/** Makes a delay queue. Disposed it delivers no more, and waits for what is on its way. */
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

  /** What cannot be delivered comes again, before all that comes after it. */
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
