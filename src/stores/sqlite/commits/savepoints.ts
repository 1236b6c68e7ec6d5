import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection, SqlValue } from '../../sql/connection.ts'
import type { SqliteConnection } from '../connection.ts'

/** Runs works within one transaction, each as if it had its own. */
export interface Savepoints {
  /** Begins a transaction. */
  begin(): void
  /** Begins the turn of a work. */
  turn(): TaskConnection
  /** Ends it; what was written in it is undone where the work did not succeed. */
  end(turn: TaskConnection, hasSucceeded: boolean): void
  /** Whether any work of this transaction has written. */
  haveWritten(): boolean
}

/** A statement that was run, to be run again. */
interface Write {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/**
 * A savepoint costs as much as the writes of a small work: from then on SQLite copies each page before
 * it changes. So many share one. Where a work fails, those that share its savepoint are undone with it
 * and their statements run again: on the same state they do the same. The fewer share, the less is
 * repeated.
 */
const sharedMax = 32

/** A transaction, and where it could go back to. */
interface Progress {
  /** Works failed in the one before: there are savepoints from the first work on. */
  readonly isWary: boolean
  isSet: boolean
  haveWritten: boolean
  /** From the first that failed on there are savepoints, too. */
  haveFailed: boolean
  /** So many works wrote since the last savepoint. */
  sharing: number
  /** What they wrote; without a savepoint, all that was written. */
  kept: Write[]
}

/**
 * Makes what runs works in transactions of a connection. Until a work fails after it wrote, the
 * transaction itself is their savepoint: it is begun again with the statements of those before. From
 * then on there are savepoints, as failures mostly come together, until a transaction has none.
 */
export function savepoints(connection: SqliteConnection): Savepoints {
  let progress = begun(false)
  const prepare = (): void => beforeWriting(connection, progress)

  return {
    begin: () => {
      connection.now('begin immediate')
      progress = begun(progress.haveFailed)
    },
    haveWritten: () => progress.haveWritten,
    turn: () => new TaskConnection(connection, prepare),
    end: (turn, hasSucceeded) => {
      turn.end()
      const { writes } = turn
      if (!connection.inTransaction) throw new StoreUnavailable('the disk undid the transaction')
      if (writes.length === 0) return
      if (!hasSucceeded) return undo(connection, progress)
      progress.sharing += 1
      for (const write of writes) progress.kept.push(write)
    },
  }
}

function begun(isWary: boolean): Progress {
  return { isWary, isSet: false, haveWritten: false, haveFailed: false, sharing: 0, kept: [] }
}

/** Sets a savepoint where one is due. */
function beforeWriting(connection: SqliteConnection, progress: Progress): void {
  progress.haveWritten = true
  const { isWary, haveFailed, isSet, sharing } = progress
  if (!(isWary || haveFailed) || (isSet && sharing < sharedMax)) return
  if (isSet) connection.now('release work')
  connection.now('savepoint work')
  progress.isSet = true
  progress.sharing = 0
  progress.kept = []
}

/** Undoes the work that failed, and does again what was undone with it. */
function undo(connection: SqliteConnection, progress: Progress): void {
  progress.haveFailed = true
  if (progress.isSet) {
    connection.now('rollback to work')
  } else {
    connection.now('rollback')
    connection.now('begin immediate')
  }
  for (const { sql, params } of progress.kept) connection.runNow(sql, params)
}

/**
 * The connection as one work has it: not after its turn. Notes what the work writes. Each transaction
 * has one, so it is a class: its methods are made once.
 */
export class TaskConnection implements SqlConnection {
  readonly writes: Write[] = []
  readonly #connection: SqliteConnection
  readonly #beforeWriting: () => void
  #isOver = false

  constructor(connection: SqliteConnection, beforeWriting: () => void) {
    this.#connection = connection
    this.#beforeWriting = beforeWriting
  }

  all(sql: string, params: readonly SqlValue[]) {
    this.#mustBeOn()
    return this.#connection.allNow(sql, params)
  }

  first(sql: string, params: readonly SqlValue[]) {
    this.#mustBeOn()
    return this.#connection.firstNow(sql, params)
  }

  run(sql: string, params: readonly SqlValue[]) {
    this.#mustBeOn()
    if (this.writes.length === 0) this.#beforeWriting()
    const count = this.#connection.runNow(sql, params)
    this.writes.push({ sql, params })
    return count
  }

  async lockName(): Promise<void> {}

  attempt<T>(work: () => MaybePromise<T>): MaybePromise<T> {
    return work()
  }

  end(): void {
    this.#isOver = true
  }

  #mustBeOn(): void {
    if (this.#isOver) throw new Error('this transaction is over: await everything inside it')
  }
}
