/** How far the move of a store has come. */
export interface MoveReport {
  readonly doing: 'moving' | 'comparing'
  readonly table: string
  /** Rows of all tables that are done with, and that there are. */
  readonly rows: number
  readonly all: number
}

/** What the rows of a table come to. */
export interface TableDigest {
  readonly rows: number
  /** The sum of the SHA-256 of its rows, in hexadecimal. */
  readonly digest: string
}

/** What a move has come to. */
export interface Moved {
  /** How many rows an earlier run, which was cut off, had moved. */
  readonly before: number
  /** What source and target both hold, by table. */
  readonly tables: ReadonlyMap<string, TableDigest>
}
