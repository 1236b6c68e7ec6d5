/** Progress of a store move. */
export interface MoveReport {
  readonly doing: 'moving' | 'comparing'
  readonly table: string
  /** Rows of all tables that are done with, and that there are. */
  readonly rows: number
  readonly all: number
}

/** Digest of a table's rows. */
export interface TableDigest {
  readonly rows: number
  /** The sum of the SHA-256 of its rows, in hexadecimal. */
  readonly digest: string
}

/** Result of a store move. */
export interface Moved {
  /** Rows that an earlier, interrupted run had moved. */
  readonly before: number
  /** Digests that source and target share, by table. */
  readonly tables: ReadonlyMap<string, TableDigest>
}

/** The progress of a backup. */
export interface StorePages {
  readonly copied: number
  readonly all: number
}
