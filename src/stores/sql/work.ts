import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import { type CreditMoves, creditMoves } from './queues/credit-moves.ts'
import { type LateWrites, lateWrites } from './late-writes.ts'
import { nameOf, type RowKey } from './rows/row-key.ts'
import type { Session } from './session.ts'

/** Rows of instances by where they are; null where there is none. */
interface KnownRows {
  get(place: RowKey): Row | null | undefined
  set(place: RowKey, row: Row | null): void
  delete(place: RowKey): void
  clear(): void
}

/** One transaction at work. */
export interface Work extends Session {
  readonly effects: Effects
  /** Rows as this transaction last saw them. */
  readonly known: KnownRows
  /** The revisions of instances that this transaction listed, by name; null if nobody else writes. */
  readonly listed: Map<string, string> | null
  /** Written at the end of the transaction. */
  readonly late: LateWrites
  /** Credits that it has moved, where they are not written at once. */
  readonly moves: CreditMoves
  /** It was overtaken before, and keeps others from changing what it reads. */
  readonly isPatient: boolean
  /** Others are at work in the same transaction, whom no lock keeps from anything. */
  readonly isTogether: boolean
}

/** How a transaction is run, where that is not said otherwise: alone. */
export type Manner = Partial<Pick<Work, 'moves' | 'late' | 'isPatient' | 'isTogether'>>

/** A transaction that begins its work over a session. */
export function workOn(session: Session, effects: Effects, manner: Manner = {}): Work {
  const { moves = creditMoves(), late = lateWrites() } = manner
  const { isPatient = false, isTogether = false } = manner
  const isAlone = session.dialect.forUpdate === ''
  return {
    ...session,
    effects,
    known: new OwnRows(),
    listed: isAlone ? null : new Map(),
    late,
    moves,
    isPatient,
    isTogether,
  }
}

/** Rows that one transaction saw. Most transactions see none that they write: no map, and no names. */
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
