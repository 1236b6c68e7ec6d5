import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import type { KnownQueues } from './queues/known-queues.ts'
import { nameOf, type RowKey } from './rows/row.ts'
import type { Session } from './session.ts'
import type { AccountId } from '../../core/account.ts'
import type { NewNotification } from '../../core/ports/notification-log.ts'
import type { Notified } from './log/notification-log.ts'

/** Rows by the key of their instance; null if it does not exist. */
interface KnownRows {
  get(place: RowKey): Row | null | undefined
  set(place: RowKey, row: Row | null): void
  delete(place: RowKey): void
  clear(): void
}

/** One transaction at work. */
export interface Work extends Session {
  readonly effects: Effects
  /** What the node remembers of the queues. */
  readonly queues: KnownQueues
  /** Rows that this transaction has read. */
  readonly known: KnownRows
  /**
   * The revisions of instances that this transaction listed, by name; null if there are no concurrent
   * writers.
   */
  readonly listed: Map<string, string> | null
  /** Written at the end of the transaction. */
  readonly late: LateWrites
  /** Changes of locked counters. They are written at the end of the transaction. */
  readonly held: HeldCounters
  /** True after a serialization conflict: it locks the rows that it reads. */
  readonly isPatient: boolean
  /** True if other tasks share this transaction; locks do not isolate them. */
  readonly isTogether: boolean
}

/** Options of a transaction; by default it runs alone. */
export type Manner = Partial<Pick<Work, 'held' | 'late' | 'isPatient' | 'isTogether'>>

/** Creates the state of a transaction over a session. */
export function workOn(
  session: Session,
  queues: KnownQueues,
  effects: Effects,
  manner: Manner = {},
): Work {
  const { held = new CounterSums(), late = lateWrites() } = manner
  const { isPatient = false, isTogether = false } = manner
  const isAlone = session.dialect.forUpdate === ''
  return {
    ...session,
    queues,
    effects,
    known: new OwnRows(),
    listed: isAlone ? null : new Map(),
    late,
    held,
    isPatient,
    isTogether,
  }
}

/** Rows of one transaction. Most read no row that they write: they create no map and no names. */
class OwnRows implements KnownRows {
  #rows: Map<string, Row | null> | null = null

  get(place: RowKey): Row | null | undefined {
    return this.#rows?.get(nameOf(place))
  }

  set(place: RowKey, row: Row | null): void {
    this.#rows ??= new Map()
    this.#rows.set(nameOf(place), row)
  }

  delete(place: RowKey): void {
    this.#rows?.delete(nameOf(place))
  }

  clear(): void {
    this.#rows = null
  }
}

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
    return this.#sums?.get(counterName(counter))?.by ?? 0
  }

  add(change: Tallied): void {
    this.#sums ??= new Map()
    this.#sums.set(counterName(change), { ...change, by: this.of(change) + change.by })
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

function counterName({ account, subject, name }: CounterKey): string {
  return `${account} ${subject} ${name}`
}

/**
 * Another transaction changed rows that this one has read. This one is undone; a retry reads the present
 * rows.
 */
export class SerializationConflict extends Error {
  override readonly name = 'Overtaken'

  constructor() {
    super('another transaction was faster')
  }
}
