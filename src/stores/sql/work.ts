import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import { type CreditMoves, creditMoves } from './credit-moves.ts'
import type { Session } from './session.ts'
import type { Tallied } from './tallied.ts'

/** One transaction at work. */
export interface Work extends Session {
  readonly effects: Effects
  /** Rows of instances as this transaction last saw them, by a name of theirs. */
  readonly known: Map<string, Row | null>
  /** The names of those that this transaction wrote. */
  readonly written: Set<string>
  /** The revisions of instances that this transaction listed, by the same names. */
  readonly listed: Map<string, string>
  /** Differences of counts that are not written yet, by a name of theirs. */
  readonly tallied: Map<string, Tallied>
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
  const [known, listed, tallied] = [new Map(), new Map(), new Map()]
  const { moves = creditMoves(), isPatient = false, isTogether = false } = manner
  const written = new Set<string>()
  return { ...session, effects, known, written, listed, tallied, moves, isPatient, isTogether }
}
