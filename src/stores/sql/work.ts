import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import { CounterSums, type HeldCounters, type LateWrites, lateWrites } from './late-writes.ts'
import { nameOf, type RowKey } from './rows/row.ts'
import type { Session } from './session.ts'

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
export function workOn(session: Session, effects: Effects, manner: Manner = {}): Work {
  const { held = new CounterSums(), late = lateWrites() } = manner
  const { isPatient = false, isTogether = false } = manner
  const isAlone = session.dialect.forUpdate === ''
  return {
    ...session,
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
