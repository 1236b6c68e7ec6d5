import type { MaybePromise } from '../../core/maybe-promise.ts'

/** The value of a column. */
export type SqlValue = string | number | null

/** A parameter of a statement. Octets are in the database's own form of a value, such as that of an array. */
export type SqlParameter = SqlValue | Uint8Array

/**
 * A row as a driver returns it: values in the order of the statement's columns. Objects would cost a
 * third of a list. Read it with the functions of `row.ts`.
 */
export type Row = readonly unknown[]

/**
 * A connection to a database. Parameters are `?` in the text. Each text is prepared once, so texts
 * contain parameters, never values. A database within the process returns its results, and throws its
 * errors, synchronously.
 */
export interface SqlConnection {
  all(sql: string, params: readonly SqlParameter[]): MaybePromise<readonly Row[]>
  /** Returns the first row, if any. */
  first(sql: string, params: readonly SqlParameter[]): MaybePromise<Row | undefined>
  /** Runs a statement that writes; returns the number of rows that it wrote or removed. */
  run(sql: string, params: readonly SqlParameter[]): MaybePromise<number>
  /**
   * Locks a name until this transaction ends. It serializes decisions that no row can represent, such
   * as the absence of a row.
   */
  lockName(name: readonly SqlValue[]): Promise<void>
  /** Runs work. If it fails, its changes are undone and the transaction continues. */
  attempt<T>(work: () => MaybePromise<T>): MaybePromise<T>
}
