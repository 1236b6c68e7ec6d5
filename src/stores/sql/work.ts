import type { AccountReach } from '../../core/account.ts'
import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import { type CreditMoves, creditMoves } from './queues/credit-moves.ts'
import type { Notified } from './log/notification-log.ts'
import { nameOf, type RowKey } from './rows/row-key.ts'
import type { Session } from './session.ts'
import type { Tallied } from './queues/tallied.ts'

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
  /** The names of those that this transaction wrote; null if one transaction writes at a time. */
  readonly written: Set<string> | null
  /** The revisions of instances that this transaction listed, by the same names; null as before. */
  readonly listed: Map<string, string> | null
  /** What is notified and not written yet. */
  readonly notified: Notified[]
  /** Differences of counts that are not written yet. */
  readonly tallied: Tallied[]
  /** Credits that it has moved, where they are not written at once. */
  readonly moves: CreditMoves
  /** It was overtaken before, and keeps others from changing what it reads. */
  readonly isPatient: boolean
  /** Others are at work in the same transaction, whom no lock keeps from anything. */
  readonly isTogether: boolean
}

/** How a transaction is run, where that is not said otherwise: alone. */
export type Manner = Partial<Pick<Work, 'moves' | 'isPatient' | 'isTogether'>>

/** A transaction that begins its work over a session. */
export function workOn(session: Session, effects: Effects, manner: Manner = {}): Work {
  const { moves = creditMoves(), isPatient = false, isTogether = false } = manner
  const isAlone = session.dialect.writtenLater === null
  return {
    ...session,
    effects,
    known: ownRows(),
    written: isAlone ? null : new Set(),
    listed: isAlone ? null : new Map(),
    notified: [],
    tallied: [],
    moves,
    isPatient,
    isTogether,
  }
}

/** Rows that one transaction saw. */
function ownRows(): KnownRows {
  const rows = new Map<string, Row | null>()
  return {
    get: (place) => rows.get(nameOf(place)),
    set: (place, row) => void rows.set(nameOf(place), row),
    delete: (place) => void rows.delete(nameOf(place)),
    clear: () => rows.clear(),
  }
}

/** The same work over the connection that reaches an account, or all of them: mostly it is the same. */
export function within(work: Work, account: AccountReach): Work {
  const connection = work.connection.within(account)
  return connection === work.connection ? work : { ...work, connection }
}
