import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { type Clock, nextTurn } from '../../../core/ports/clock.ts'
import { type Commit, type CommitMode, StoreUnavailable } from '../../../core/ports/store.ts'
import { addEffects, type Effects, noEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { Notified } from '../../sql/log/notification-log.ts'
import type { SqliteConnection } from '../connection.ts'
import { savepoints, type Savepoints } from './savepoints.ts'

/** A task of a transaction. It leaves its notifications in `notified`, for the group. */
export type CommitTask<T> = (
  connection: SqlConnection,
  effects: Effects,
  notified: Notified[],
) => MaybePromise<T>

/** Commits tasks in groups. */
export interface SqliteGroupCommit {
  /** Runs a task. An `ALONE` task finds the notifications of earlier tasks in the log. */
  run<T>(task: CommitTask<T>, mode?: CommitMode): Promise<T>
  /** Refuses new tasks, and waits for the others. */
  close(): Promise<void>
}

/** Steps around the commit of a group, and the clock that ends it. */
export interface CommitHooks {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Appends the notifications of several tasks to the log: together they cost half as much. */
  readonly append: (connection: SqlConnection, notified: readonly Notified[]) => MaybePromise<void>
  /** Runs just before the commit: readers must keep their state. */
  readonly before: () => void
  /** Flushes the commit to the disk, before its tasks resolve. */
  readonly flush: () => Promise<void>
  /** Runs after the tasks of a group have resolved. */
  readonly after: (commit: Commit) => void
}

/** Maximum of waiting tasks: about a second of work. Refusing early is better than a longer wait. */
const waitingMax = 10_000

/** Maximum of tasks in a commit, so that none waits long for the others. */
const groupMax = 256

/** Time of the tasks of a commit after which no other one begins, in milliseconds: they hold the event loop. */
const groupMs = 10

/** Minimum of tasks for a group while another one is flushed; fewer wait for more. */
const overlapMin = 32

/** A group that grows in each turn of the event loop waits this many turns, or for this many tasks. */
const growingTurns = 8
const largeEnough = 64

/**
 * Commits in groups. Tasks that arrive during the flush of another group, or within one turn of the
 * event loop, share a transaction and a flush. They run one after the other, and a failed task undoes
 * only its own changes. Each resolves after the flush, which does not block the event loop.
 */
export function groupCommit(connection: SqliteConnection, hooks: CommitHooks): SqliteGroupCommit {
  const safe = savepoints(connection)
  const waiting: Entry[] = []
  let running: Promise<void> | null = null
  let closed = false
  /** Resolves when all tasks committed so far have resolved. */
  let answered = Promise.resolve()
  let unanswered = 0
  let goOn = (): void => {}
  /** The fault after which no task is written; null without one. */
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
      const finish = await runGroup(connection, safe, around, takeFrom(waiting, hooks.clock))
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

/** Waits while each turn brings more tasks: under load, simultaneous requests arrive over several turns. */
async function grown(waiting: readonly Entry[], from: number): Promise<void> {
  let had = from
  for (let turn = 0; turn < growingTurns && waiting.length > had; turn += 1) {
    if (waiting.length >= largeEnough) return
    had = waiting.length
    await nextTurn()
  }
}

/** Takes the tasks of one commit, each when the one before it has run. */
function* takeFrom(waiting: Entry[], clock: CommitHooks['clock']): Iterable<Entry> {
  const endsAt = clock.monotonic() + groupMs
  let left = Math.min(waiting.length, groupMax)
  do {
    const next = waiting.shift()
    if (next === undefined) return
    yield next
    left -= 1
  } while (left > 0 && clock.monotonic() < endsAt)
}

/** A waiting task. It holds its result until the commit. */
interface Entry {
  readonly mode: CommitMode
  /** Runs the task; returns false if it failed. */
  run(connection: SqlConnection, effects: Effects, notified: Notified[]): Promise<boolean>
  /** Settles the promise of the caller, with an error if the group failed. */
  answer(failure: Failure | null): void
}

interface Failure {
  readonly error: unknown
}

/** A class, since each transaction has one: its methods are created once. */
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
 * Runs and commits a group. The returned function waits for the flush and for earlier groups, whose
 * changes this one has seen, and then resolves the tasks. It never throws.
 */
async function runGroup(
  connection: SqliteConnection,
  safe: Savepoints,
  hooks: CommitHooks,
  tasks: Iterable<Entry>,
): Promise<(before: Promise<void>) => Promise<void>> {
  const all = noEffects()
  const group: Entry[] = []
  const refuse = (error: unknown): void => {
    // None has begun if the transaction could not begin.
    for (const one of [...group, ...tasks]) one.answer({ error: asUnavailable(error) })
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
    for (const one of tasks) {
      group.push(one)
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

/** If even this fails, the next group fails to begin, and rolls back again. */
function rollBack(connection: SqliteConnection): void {
  try {
    if (connection.inTransaction) connection.now('rollback')
  } catch {
    // The tasks get the error that made the group fail.
  }
}

function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  return new StoreUnavailable(`the transaction could not be committed (${String(error)})`, {
    cause: error,
  })
}
