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
 */
export interface Connection {
  all(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]>
  /** The first row, if there is one. */
  first(sql: string, params: readonly SqlValue[]): Promise<Row | undefined>
  /** Runs a statement that writes; returns how many rows it wrote or removed. */
  run(sql: string, params: readonly SqlValue[]): Promise<number>
}
