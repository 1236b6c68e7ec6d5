import type { PartContent } from './carrier.ts'
import type { Instant } from './clock.ts'

/** Which message a part is of. A sender may use a reference again for a later message. */
export interface IncomingKey {
  readonly carrier: string
  readonly from: string
  readonly to: string
  readonly reference: string
  readonly total: number
}

/** Part of an incoming message, stored until the others arrive. */
export interface KeptPart extends IncomingKey {
  /** From 1. */
  readonly part: number
  readonly protocolId: number
  readonly content: PartContent
  /** True if its message was created: the part then stays to recognise a repetition. */
  readonly joined: boolean
  /** Until when the others are waited for, or it is known again. */
  readonly expiresAt: Instant
}

/** The parts of incoming messages that are waited for together. */
export interface IncomingParts {
  /** Keeps a part; one of the same message and place is replaced. */
  keep(part: KeptPart): Promise<void>
  /** All parts of a message, by part. Who else asks for them waits until this transaction is over. */
  of(key: IncomingKey): Promise<readonly KeptPart[]>
  /** Marks all parts of a message as joined, to be known again until `expiresAt`. */
  join(key: IncomingKey, expiresAt: Instant): Promise<void>
  /** Forgets all parts of a message. */
  forget(key: IncomingKey): Promise<void>
  /** Messages that are not joined and whose time was over at `now`. */
  overdue(now: Instant, limit: number): Promise<readonly IncomingKey[]>
  /** The time at which the next message that is not joined becomes overdue, or null. */
  nextOverdueAt(): Promise<Instant | null>
  /** Forgets at most `limit` joined parts whose time was over at `now`; returns how many. */
  trim(now: Instant, limit: number): Promise<number>
}
