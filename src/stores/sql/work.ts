import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
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
  /** It was overtaken before, and keeps others from changing what it reads. */
  readonly isPatient: boolean
}

/** A transaction that begins its work over a session. */
export function workOn(session: Session, effects: Effects, isPatient = false): Work {
  const [known, listed, tallied] = [new Map(), new Map(), new Map()]
  return { ...session, effects, known, written: new Set(), listed, tallied, isPatient }
}
