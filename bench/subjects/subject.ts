import type { SentRequest } from '../put-load.ts'

/** Whose figure it is: ours, what nobody on this machine can pass, or another's. */
export type Role = 'ours' | 'ceiling' | 'contender'

/** What requests are sent for. */
export type HttpWork =
  'get' | 'list' | 'page' | 'after' | 'search' | 'post' | 'postLater' | 'postRecord' | 'put'

/** A server that was started and answers. */
export interface Subject extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first answer. */
  readonly startMs: number
  /** The request for a work, or null where it has no such thing. */
  request(work: HttpWork): Promise<SentRequest | null>
}

/** A server that can be started over records that were put in before. */
export interface Candidate {
  readonly name: string
  readonly role: Role
  /** Its version and that of what it stands on. */
  readonly version: string
  /** What is promised when a write is answered. */
  readonly durability: string
  /** More would only queue: of those that answer less than some hundred requests a second. */
  readonly connectionsMax?: number
  /** Makes a store with so many messages in a folder that is empty. */
  prepare(folder: string, rows: number): Promise<void>
  /** Starts it over the store of that folder. */
  launch(folder: string, rows: number): Promise<Subject>
}
