/** The service under attack, as client A knows it. */
export interface Target {
  readonly url: string
  readonly port: number
  /** The address that client A connects from; not that of client B. */
  readonly from: string
  /** Header fields of an administrator, who prepares what an operator would. */
  readonly admin: Readonly<Record<string, string>>
  /** Header fields of client A. */
  readonly own: Readonly<Record<string, string>>
  /** Those of each of the attacking accounts; client A's first. */
  readonly accounts: readonly Readonly<Record<string, string>>[]
  /** The share of an attack's full size, above 0 and at most 1. */
  readonly size: number
}

/** Something that client A, or a client without a key, does to the service. */
export interface Attack {
  readonly name: string
  /** What the client does; a row of the table. */
  readonly title: string
  /** Settings of the service that is attacked. */
  readonly environment?: Readonly<Record<string, string>>
  /** Creates what the attack needs; not measured. */
  prepare?(target: Target): Promise<void>
  /** Attacks until the signal aborts; the process may end before. Calls `note` with each result. */
  run(target: Target, signal: AbortSignal, note: Note): Promise<void>
}

/** Counts a result of an attack: a status, or what became of a connection. */
export type Note = (result: string) => void

/** The result of reaching an address that the operator forbids: one is a failure of the service. */
export const forbidden = 'reached a forbidden address'

/** Returns a number of an attack at its size, at least 1. */
export function sized({ size }: Target, full: number): number {
  return Math.max(1, Math.ceil(full * size))
}
