import { type Commit, StoreUnavailable } from '../../core/store.ts'
import { addEffects, type Effects, noEffects } from '../commit.ts'
import type { Connection } from '../sql/connection.ts'
import type { SqliteConnection } from './connection.ts'
import { nextTurn } from './next-turn.ts'
import { savepoints } from './savepoints.ts'

/** A piece of work to be done in a transaction. */
export type Task<T> = (connection: Connection, effects: Effects) => Promise<T>

/** What commits in groups. */
export interface GroupCommit {
  run<T>(task: Task<T>): Promise<T>
  /** Refuses what comes, and waits for what has come. */
  close(): Promise<void>
}

/** What happens around the commit of a group. */
export interface CommitHooks {
  /** Just before the commit: whoever reads must go on seeing what it saw. */
  readonly before: () => void
  /** Just after. */
  readonly after: (commit: Commit) => void
}

/** So many may wait; at some ten thousand a second that is a second. Beyond, refusing early is kinder. */
const waitingMax = 10_000

/** So many share a commit at most, so that none of them waits long for the others. */
const groupMax = 256

/**
 * Commits in groups: what arrives within a turn of the event loop shares one transaction of the
 * database, and one wait for the disk. The works of a group run strictly one after the other; one
 * that fails undoes only itself. Each is answered after the commit.
 */
export function groupCommit(connection: SqliteConnection, hooks: CommitHooks): GroupCommit {
  const waiting: Entry[] = []
  let running: Promise<void> | null = null
  let closed = false

  const runAll = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        await nextTurn()
        await runGroup(connection, hooks, waiting.splice(0, groupMax))
      }
    } finally {
      running = null
    }
  }

  return {
    run: (task) => {
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
      if (waiting.length >= waitingMax) {
        return Promise.reject(new StoreUnavailable(`${waitingMax} transactions are waiting`))
      }
      return new Promise((resolve, reject) => {
        waiting.push(entry(task, resolve, reject))
        running ??= runAll()
      })
    },
    close: async () => {
      closed = true
      await running
    },
  }
}

/** A work that waits. Its result is kept until the commit is done. */
interface Entry {
  /** Runs it; false where it failed. */
  run(connection: Connection, effects: Effects): Promise<boolean>
  /** Answers whoever waits for it; with an error if the group failed. */
  answer(failure: { readonly error: unknown } | null): void
}

function entry<T>(
  task: Task<T>,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
): Entry {
  let outcome = (): void => reject(new StoreUnavailable('the transaction was not run'))
  return {
    run: async (connection, effects) => {
      try {
        const result = await task(connection, effects)
        outcome = () => resolve(result)
        return true
      } catch (error) {
        outcome = () => reject(error)
        return false
      }
    },
    answer: (failure) => (failure === null ? outcome() : reject(failure.error)),
  }
}

async function runGroup(
  connection: SqliteConnection,
  hooks: CommitHooks,
  group: readonly Entry[],
): Promise<void> {
  const all = noEffects()
  const safe = savepoints(connection)
  try {
    connection.now('begin immediate')
    for (const one of group) {
      const effects = noEffects()
      const done = await safe.run((guarded) => one.run(guarded, effects))
      if (done) addEffects(all, effects)
    }
    hooks.before()
    connection.now('commit')
  } catch (error) {
    rollBack(connection)
    for (const one of group) one.answer({ error: asUnavailable(error) })
    return
  }
  for (const one of group) one.answer(null)
  hooks.after(all)
}

/** Where even this fails the next group fails to begin, and rolls back again. */
function rollBack(connection: SqliteConnection): void {
  try {
    if (connection.inTransaction) connection.now('rollback')
  } catch {
    // What made the group fail is what its works are answered.
  }
}

function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  return new StoreUnavailable(`the transaction could not be committed (${String(error)})`, {
    cause: error,
  })
}
