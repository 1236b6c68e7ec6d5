import type { Collection } from '../../../core/declaration/collection.ts'
import type { LogPosition } from '../../../core/ports/notification-log.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'

/** A store at one end of a move: held for this process alone, and read and written as it stands. */
export interface StoreEnd extends AsyncDisposable {
  /** As people know it, without a password. */
  readonly shown: string
  readonly connection: SqlConnection
  /** The columns that make up a place in its log. */
  readonly logOrder: readonly string[]
  /** The tables that it has, its own workings apart. */
  tableNames(): Promise<readonly string[]>
  columnsOf(table: string): Promise<readonly string[]>
  /** Reads a place in its log from its text. */
  parse(text: string): LogPosition | null
}

/** The end that rows are brought to. */
export interface TargetEnd extends StoreEnd {
  /** How it counts the entries of a log that it takes over. */
  readonly places: PlacesTaken
  /** Runs work in a transaction, which is on the disk when this is kept. */
  transact(work: () => Promise<void>): Promise<void>
  insert(table: string, columns: readonly string[], rows: readonly RowValues[]): Promise<void>
  /** Leaves it as one that was never moved to, and ready. */
  finish(tables: readonly string[]): Promise<void>
}

/** What a row holds, in the order of the columns. */
export type RowValues = readonly SqlValue[]

/** Places of the log of a source, as the target counts them. */
export interface PlacesTaken {
  /** The columns of the place of an entry: it was at `from`, and is the `count`th that is moved, from 1. */
  entry(from: RowValues, count: number): RowValues
  /** Notes where entries were; `count` is that of the first. Within the transaction that writes them. */
  note(from: readonly RowValues[], count: number): Promise<void>
  /** The place that stands for one of the source. */
  of(position: LogPosition): Promise<LogPosition>
  /** How a column holds it. */
  toSql(position: LogPosition): SqlValue
}

/** Opens the end that rows are brought to, made fit for these collections; as it is where it was begun. */
export type OpenTarget = (collections: readonly Collection[]) => Promise<TargetEnd>
