import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection, SqlValue } from '../../sql/connection.ts'
import type { SqliteConnection } from '../connection.ts'

/** Runs tasks within one transaction, each as if it had its own. */
export interface Savepoints {
  /** Begins a transaction. */
  begin(): void
  /** Begins a task. */
  turn(): TaskConnection
  /** Ends a task, and undoes its changes unless it succeeded. */
  end(turn: TaskConnection, hasSucceeded: boolean): void
  /** Returns true if any task of this transaction has written. */
  haveWritten(): boolean
}

/** A statement that can run again. */
interface Write {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/**
 * Maximum of tasks that share a savepoint. One costs as much as the writes of a small task, since SQLite
 * then copies each page before it changes. If a task fails, those with the same savepoint are undone too,
 * and their statements run again: on the same state they have the same effect.
 */
const sharedMax = 32

/** A transaction and its savepoint. */
interface Progress {
  /** Tasks of the last transaction failed: set savepoints from the first task on. */
  readonly isWary: boolean
  isSet: boolean
  haveWritten: boolean
  /** A task of this transaction failed: set savepoints from now on. */
  haveFailed: boolean
  /** Number of tasks that wrote since the last savepoint. */
  sharing: number
  /** Their statements; without a savepoint, all statements. */
  kept: Write[]
}

/**
 * Runs tasks in transactions of a connection. Until a task fails after a write, no savepoint is needed:
 * the transaction begins again with the statements of earlier tasks. After that, savepoints are set until
 * a transaction has no failure, since failures mostly come together.
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

/** Sets a savepoint if one is due. */
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

/** Undoes a failed task, and repeats the statements that were undone with it. */
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
 * The connection of one task, until it ends. It records the statements that write. A class, since each
 * transaction has one: its methods are created once.
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
