/** The connections of a pool, and who waits for one. */
export interface PoolUse {
  readonly name: string
  readonly busy: number
  readonly waiting: number
  readonly max: number
}

/** The files of a store that consists of files, and their disk. */
export interface DiskUse {
  readonly dataBytes: number
  /** The write-ahead log. */
  readonly walBytes: number
  readonly freeBytes: number
  readonly totalBytes: number
}

/** What is seen of a store from outside of the service. */
export interface StoreLook {
  /** Its name for people, without a password. */
  readonly name: string
  readonly exists: boolean
  /** Free space of its disk; null if it is unknown. */
  readonly freeBytes: number | null
  /** How far this machine's clock is ahead of the store's; null if it has none. */
  readonly aheadMs: number | null
}

/** A transaction that keeps the database from removing old versions of rows. */
export interface DelayingTransaction {
  /** Null for a prepared transaction, which has no process. */
  readonly pid: number | null
  readonly database: string
  readonly role: string
  readonly application: string
  readonly ageMs: number
}

/** The state of a database that other programs use too. */
export interface StoreHealth {
  pools(): readonly PoolUse[]
  /** Returns the transactions that are older, the oldest first. Some may need a permission to be seen. */
  delayingTransactions(ageMs: number): Promise<readonly DelayingTransaction[]>
}
