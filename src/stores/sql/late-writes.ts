import type { AccountId } from '../../core/account.ts'
import type { NewNotification } from '../../core/ports/notification-log.ts'
import type { Notified } from './log/notification-log.ts'

/**
 * Writes to rows that many transactions share. They come last, in one order for all transactions, so that
 * no two wait for each other and the shared rows are locked for a short time.
 */
export interface LateWrites {
  readonly notified: readonly Notified[]
  readonly counted: readonly Tallied[]
  notify(account: AccountId, notification: NewNotification): void
  count(change: Tallied): void
  /** Adds the writes of a transaction that shares the commit. */
  add(more: LateWrites): void
  /** Returns the changes of counters, and forgets them. */
  takeCounted(): readonly Tallied[]
}

/** Orders the notifications of transactions that share a commit by the time of the call. */
let calls = 0

/** Makes an empty list of late writes. */
export function lateWrites(): LateWrites {
  const notified: Notified[] = []
  const counted: Tallied[] = []
  return {
    notified,
    counted,
    notify: (account, notification) => {
      calls += 1
      notified.push({ account, notification, call: calls })
    },
    count: (change) => void counted.push(change),
    add: (more) => {
      for (const one of more.counted) counted.push(one)
      if (more.notified.length === 0) return
      const isSorted = notified.length === 0
      for (const one of more.notified) notified.push(one)
      if (!isSorted) notified.sort((a, b) => a.call - b.call)
    },
    takeCounted: () => counted.splice(0),
  }
}

/** A count that a transaction changes, and by how much. */
export interface Tallied {
  readonly account: AccountId
  readonly subject: string
  readonly name: string
  readonly by: number
}

/** Names a counter. */
export type CounterKey = Omit<Tallied, 'by'>

/** Changes of the counters that a transaction has locked. */
export type HeldCounters = Pick<CounterSums, 'of' | 'add' | 'isEmpty' | 'take'>

/** Changes of counters, summed up. A class with a late map, since most transactions count nothing. */
export class CounterSums {
  #sums: Map<string, Tallied> | null = null

  of(counter: CounterKey): number {
    return this.#sums?.get(nameOf(counter))?.by ?? 0
  }

  add(change: Tallied): void {
    this.#sums ??= new Map()
    this.#sums.set(nameOf(change), { ...change, by: this.of(change) + change.by })
  }

  isEmpty(): boolean {
    return this.#sums === null
  }

  /** Returns the sums, and forgets them. */
  take(): readonly Tallied[] {
    const all = this.#sums === null ? [] : [...this.#sums.values()]
    this.#sums = null
    return all
  }
}

function nameOf({ account, subject, name }: CounterKey): string {
  return `${account} ${subject} ${name}`
}
