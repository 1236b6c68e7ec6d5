import type { Effects } from '../commit.ts'
import type { Row } from './connection.ts'
import type { Session } from './session.ts'

/** One transaction at work. */
export interface Work extends Session {
  readonly effects: Effects
  /** Rows of instances as this transaction last saw them, by a name of theirs. */
  readonly known: Map<string, Row | null>
}
