import type { MaybePromise } from '../../core/maybe-promise.ts'

/** What a statement is given, and what a column holds. */
export type SqlValue = string | number | null

/**
 * A row as a driver hands it out: values in the order in which the statement names its columns.
 * Making objects of them would cost a third of a list. Read it with the functions of `row.ts`.
 */
export type Row = readonly unknown[]

/**
 * A connection to a database. Parameters stand as `?` in the text. The same text is prepared once,
 * so texts are written with parameters, never with values. Everything above is written against this.
 * A database within the process has its answers at once; what fails throws then, too.
 */
export interface SqlConnection {
  all(sql: string, params: readonly SqlValue[]): MaybePromise<readonly Row[]>
  /** The first row, if there is one. */
  first(sql: string, params: readonly SqlValue[]): MaybePromise<Row | undefined>
  /** Runs a statement that writes; returns how many rows it wrote or removed. */
  run(sql: string, params: readonly SqlValue[]): MaybePromise<number>
  /**
   * Waits until no other transaction holds a name, and holds it until this one ends: what the rows
   * that there are cannot tell, such as that there is none, is decided by one at a time.
   */
  lockName(name: readonly SqlValue[]): Promise<void>
  /** Runs work; where it fails, what it wrote is undone and the transaction goes on. */
  attempt<T>(work: () => MaybePromise<T>): MaybePromise<T>
}
