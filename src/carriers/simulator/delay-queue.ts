import type { Clock } from '../../core/clock.ts'

/** What a delay queue needs. */
export interface DelayQueueOptions<T> {
  readonly clock: Clock
  /** How long after it was added an item falls due. */
  readonly delayMs: number
  /** Is given what fell due, in order, one batch at a time; one that it throws at is given again. */
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

/** Makes a delay queue. Disposed it delivers no more, and waits for the batch that is on its way. */
export function delayQueue<T>({
  clock,
  delayMs,
  deliver,
  onError,
}: DelayQueueOptions<T>): DelayQueue<T> {
  const entries: { readonly dueAt: number; readonly item: T }[] = []
  let delivering: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let ended = false

  const arm = (waitMs: number): void => {
    cancel = clock.after(waitMs, () => {
      cancel = null
      delivering = deliverDue().then((restMs) => {
        delivering = null
        const next = entries[0]
        if (next !== undefined && !ended) arm(Math.max(next.dueAt - clock.monotonic(), restMs))
      })
    })
  }

  /** Returns how long to rest afterwards. */
  const deliverDue = async (): Promise<number> => {
    const now = clock.monotonic()
    const first = entries.slice(0, batchMax)
    const batch = first.filter(({ dueAt }) => dueAt <= now)
    try {
      if (batch.length > 0) await deliver(batch.map(({ item }) => item))
    } catch (error) {
      onError(error)
      return retryMs
    }
    entries.splice(0, batch.length)
    return 0
  }

  return {
    add(item) {
      entries.push({ dueAt: clock.monotonic() + delayMs, item })
      if (cancel === null && delivering === null && !ended) arm(delayMs)
    },

    async [Symbol.asyncDispose]() {
      ended = true
      cancel?.()
      await delivering
    },
  }
}
