import type { Instant } from '../../../core/ports/clock.ts'
import type { QueueKey } from '../../../core/ports/submissions.ts'
import type { Slice } from '../tables/slice.ts'

/** A queue of a slice, and where a look at it begins. */
export interface KnownQueue extends QueueKey {
  readonly slice: Slice
  /** Nothing is due before. */
  readonly from: Instant
  /** Since when it is empty; null if it is not. */
  readonly emptySince: Instant | null
}

/** A submission can be stored so long after it was due: nodes differ by a second, and a commit takes its time. */
const marginMs = 1500

/** Interval of looks at whole queues, for what was stored later than that. In milliseconds. */
const wholeMs = 5000

/** A queue that is empty for so long is forgotten. */
const forgottenMs = 600_000

/**
 * What a node remembers of the queues of submissions. A database that keeps removed rows while a snapshot is open
 * would read them again with each look and each claim: both begin where the last look found the first row.
 */
export class KnownQueues {
  readonly #queues = new Map<string, KnownQueue>()
  #lookedAt: Instant = -Infinity
  #wholeAt: Instant = -Infinity

  /** Begins a look. From time to time, and if the clock was set back, it reads whole queues. */
  look(now: Instant): void {
    if (now >= this.#wholeAt || now < this.#lookedAt) {
      this.#wholeAt = now + wholeMs
      for (const [name, queue] of this.#queues) {
        if (now - (queue.emptySince ?? now) >= forgottenMs) this.#queues.delete(name)
        else this.#queues.set(name, { ...queue, from: 0 })
      }
    }
    this.#lookedAt = now
  }

  /** The queues of a slice, by lane and priority. */
  of(slice: Slice): readonly KnownQueue[] {
    return [...this.#queues.values()]
      .filter((queue) => queue.slice.holds() === slice.holds())
      .toSorted(byLaneAndPriority)
  }

  /** Adds a queue of which nothing is known yet. */
  add(slice: Slice, { lane, priority }: QueueKey): void {
    const queue = { slice, lane, priority, from: 0, emptySince: null }
    this.#queues.set(nameOf(slice, queue), queue)
  }

  /**
   * Remembers the due time of the first row that a look found; null for none. A look that has changed what was known
   * meanwhile may have read more.
   */
  found(queue: KnownQueue, firstAt: Instant | null, now: Instant): void {
    const name = nameOf(queue.slice, queue)
    if (this.#queues.get(name) !== queue) return
    const from = Math.max(0, Math.min(firstAt ?? now, now) - marginMs)
    const emptySince = firstAt === null ? (queue.emptySince ?? now) : null
    this.#queues.set(name, { ...queue, from, emptySince })
  }

  /** Where a look at a queue begins; 0 for one that is not known. */
  beginOf(slice: Slice, queue: QueueKey): Instant {
    return this.#queues.get(nameOf(slice, queue))?.from ?? 0
  }

  /** Lets the next look read whole queues. */
  forget(): void {
    this.#wholeAt = -Infinity
  }
}

/** Compares queues by lane, then by priority. */
export function byLaneAndPriority(a: QueueKey, b: QueueKey): number {
  return (a.lane === b.lane ? 0 : a.lane < b.lane ? -1 : 1) || a.priority - b.priority
}

function nameOf(slice: Slice, { lane, priority }: QueueKey): string {
  return `${priority} ${slice.holds()} ${lane}`
}
