import type { Collection } from '../../../core/declaration/collection.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'

/** A store at one end of a move: held for this process alone, and read and written as it stands. */
export interface StoreEnd extends AsyncDisposable {
  /** As people know it, without a password. */
  readonly shown: string
  readonly connection: SqlConnection
  /** The tables that it has, its own workings apart. */
  tableNames(): Promise<readonly string[]>
  columnsOf(table: string): Promise<readonly string[]>
}

/** The end that rows are brought to. */
export interface TargetEnd extends StoreEnd {
  /** Runs work in a transaction, which is on the disk when this is kept. */
  transact(work: () => Promise<void>): Promise<void>
  insert(table: string, columns: readonly string[], rows: readonly RowValues[]): Promise<void>
  /** Leaves it as one that was never moved to, and ready. */
  finish(tables: readonly string[]): Promise<void>
}

/** What a row holds, in the order of the columns. */
export type RowValues = readonly SqlValue[]

/** Opens the end that rows are brought to, made fit for these collections; as it is where it was begun. */
export type OpenTarget = (collections: readonly Collection[]) => Promise<TargetEnd>
