import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { type Commit, type CommitMode, StoreUnavailable } from '../../../core/ports/store.ts'
import { addEffects, type Effects, noEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { Notified } from '../../sql/log/notification-log.ts'
import type { SqliteConnection } from '../connection.ts'
import { nextTurn } from '../../sql/queues/next-turn.ts'
import { savepoints, type Savepoints } from './savepoints.ts'

/** A task of a transaction. A task that shares the log leaves its notifications in `notified`. */
export type CommitTask<T> = (
  connection: SqlConnection,
  effects: Effects,
  notified: Notified[],
) => MaybePromise<T>

/** Commits tasks in groups. */
export interface SqliteGroupCommit {
  /** Runs a task. `ALONE` it finds in the log what the tasks before it left, `TOGETHER` it may not. */
  run<T>(task: CommitTask<T>, mode?: CommitMode): Promise<T>
  /** Refuses what comes, and waits for what has come. */
  close(): Promise<void>
}

/** What happens around the commit of a group. */
export interface CommitHooks {
  /** Appends the notifications of several tasks to the log: together they cost half as much. */
  readonly append: (connection: SqlConnection, notified: readonly Notified[]) => MaybePromise<void>
  /** Just before the commit: whoever reads must go on seeing what it saw. */
  readonly before: () => void
  /** Brings what is committed to the disk. Only then it is answered. */
  readonly flush: () => Promise<void>
  /** When it is answered. */
  readonly after: (commit: Commit) => void
}

/** So many may wait; at some ten thousand a second that is a second. Beyond, refusing early is kinder. */
const waitingMax = 10_000

/** So many share a commit at most, so that none of them waits long for the others. */
const groupMax = 256

/** So many are worth a group of their own while another is on its way to the disk; fewer wait for more. */
const overlapMin = 32

/** A group that each turn of the loop makes larger waits for so many of them, or until it has so many. */
const growingTurns = 8
const largeEnough = 64

/**
 * Commits in groups: what arrives while another group is on its way to the disk, within a turn of
 * the event loop at least, shares one transaction of the database, and one wait for the disk. The
 * works of a group run strictly one after the other; one that fails undoes only itself. Each is
 * answered when it is on the disk; other work goes on meanwhile.
 */
export function groupCommit(connection: SqliteConnection, hooks: CommitHooks): SqliteGroupCommit {
  const safe = savepoints(connection)
  const waiting: Entry[] = []
  let running: Promise<void> | null = null
  let closed = false
  /** Kept when all that was committed so far is answered. */
  let answered = Promise.resolve()
  let unanswered = 0
  let goOn = (): void => {}
  /** Why nothing can be written any more. */
  let broken: StoreUnavailable | null = null
  const failed = (error: unknown): never => {
    throw (broken = asUnavailable(error))
  }
  const around: CommitHooks = { ...hooks, flush: () => hooks.flush().catch(failed) }

  const runAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const had = waiting.length
      await nextTurn()
      if (unanswered > 0 && waiting.length < overlapMin) {
        await new Promise<void>((resolve) => (goOn = resolve))
      }
      await grown(waiting, had)
      const finish = await runGroup(connection, safe, around, waiting.splice(0, groupMax))
      unanswered += 1
      answered = finish(answered).then(() => {
        unanswered -= 1
        if (unanswered === 0) goOn()
      })
    }
    running = null
  }

  return {
    run: (task, mode = 'ALONE') => {
      if (broken !== null) return Promise.reject(broken)
      if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
      if (waiting.length >= waitingMax) {
        return Promise.reject(new StoreUnavailable(`${waitingMax} transactions are waiting`))
      }
      return new Promise((resolve, reject) => {
        waiting.push(new Waiting(task, mode, resolve, reject))
        running ??= runAll()
        if (waiting.length === overlapMin) goOn()
      })
    },
    close: async () => {
      closed = true
      await running
      await answered
    },
  }
}

/** Waits while each turn brings more than there were: under load what comes together is spread over several. */
async function grown(waiting: readonly Entry[], from: number): Promise<void> {
  let had = from
  for (let turn = 0; turn < growingTurns && waiting.length > had; turn += 1) {
    if (waiting.length >= largeEnough) return
    had = waiting.length
    await nextTurn()
  }
}

/** A work that waits. Its result is kept until the commit is done. */
interface Entry {
  readonly mode: CommitMode
  /** Runs it; false where it failed. */
  run(connection: SqlConnection, effects: Effects, notified: Notified[]): Promise<boolean>
  /** Answers whoever waits for it; with an error if the group failed. */
  answer(failure: Failure | null): void
}

interface Failure {
  readonly error: unknown
}

/** Each transaction has one, so it is a class: its methods are made once. */
class Waiting<T> implements Entry {
  readonly mode: CommitMode
  readonly #task: CommitTask<T>
  readonly #resolve: (result: T) => void
  readonly #reject: (error: unknown) => void
  #outcome: { readonly result: T } | Failure | null = null

  constructor(
    task: CommitTask<T>,
    mode: CommitMode,
    resolve: (result: T) => void,
    reject: (error: unknown) => void,
  ) {
    this.#task = task
    this.mode = mode
    this.#resolve = resolve
    this.#reject = reject
  }

  async run(connection: SqlConnection, effects: Effects, notified: Notified[]): Promise<boolean> {
    try {
      this.#outcome = { result: await this.#task(connection, effects, notified) }
      return true
    } catch (error) {
      this.#outcome = { error }
      return false
    }
  }

  answer(failure: Failure | null): void {
    const outcome = failure ?? this.#outcome
    if (outcome === null) this.#reject(new StoreUnavailable('the transaction was not run'))
    else if ('error' in outcome) this.#reject(outcome.error)
    else this.#resolve(outcome.result)
  }
}

/**
 * Runs and commits a group. What is returned waits for the disk and for those before it, since it saw
 * what they wrote, and answers it; it never throws.
 */
async function runGroup(
  connection: SqliteConnection,
  safe: Savepoints,
  hooks: CommitHooks,
  group: readonly Entry[],
): Promise<(before: Promise<void>) => Promise<void>> {
  const all = noEffects()
  const refuse = (error: unknown): void => {
    for (const one of group) one.answer({ error: asUnavailable(error) })
  }
  const notified: Notified[] = []
  const append = async (): Promise<void> => {
    if (notified.length === 0) return
    const turn = safe.turn()
    await hooks.append(turn, notified.splice(0))
    safe.end(turn, true)
  }
  try {
    safe.begin()
    for (const one of group) {
      if (one.mode === 'ALONE') await append()
      const effects = noEffects()
      const turn = safe.turn()
      const hasSucceeded = await one.run(turn, effects, notified)
      safe.end(turn, hasSucceeded)
      if (hasSucceeded) addEffects(all, effects)
    }
    await append()
    hooks.before()
    connection.now('commit')
  } catch (error) {
    rollBack(connection)
    refuse(error)
    return (before) => before
  }
  const mustFlush = safe.haveWritten()
  return async (before) => {
    try {
      await Promise.all([before, mustFlush ? hooks.flush() : null])
    } catch (error) {
      return refuse(error)
    }
    for (const one of group) one.answer(null)
    hooks.after(all)
  }
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
