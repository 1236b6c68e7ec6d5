import type { Collection } from '../../../core/declaration/collection.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'

/** A store at one end of a move. It is reserved for this process, which reads and writes rows unchanged. */
export interface StoreEnd extends AsyncDisposable {
  readonly dialect: Dialect
  /** Its name for people, without a password. */
  readonly shown: string
  readonly connection: SqlConnection
  /** Returns its tables, without those of the database. */
  tableNames(): Promise<readonly string[]>
  columnsOf(table: string): Promise<readonly string[]>
}

/** The target of a move. */
export interface TargetEnd extends StoreEnd {
  /** Runs work in a transaction, which is durable when the promise resolves. */
  transact(work: () => Promise<void>): Promise<void>
  insert(table: string, columns: readonly string[], rows: readonly RowValues[]): Promise<void>
  /** Makes it ready, without traces of the move. */
  finish(tables: readonly string[]): Promise<void>
}

/** The values of a row, in the order of the columns. */
export type RowValues = readonly SqlValue[]

/** Opens the target, and creates the tables of these collections unless a move has begun. */
export type OpenTarget = (collections: readonly Collection[]) => Promise<TargetEnd>
