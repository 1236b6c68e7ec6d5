import type { Clock } from '../../../core/ports/clock.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { addEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { asFault, isBroken } from '../connection/fault.ts'
import { groupMember, type Member, type Shared } from './group-member.ts'
import type { TransactionContext, WriteWork } from '../connection/transaction-context.ts'

/** Commits works in groups. */
export interface PostgresGroupCommit {
  run<T>(work: WriteWork<T>): Promise<T>
}

/** Dependencies of groups. */
export interface GroupParts {
  readonly clock: Clock
  /** Runs a work in a transaction and commits it, without a retry. */
  readonly commit: (work: WriteWork<void>) => Promise<void>
  /** Runs a work in a separate transaction, and again after a serialization conflict. */
  readonly alone: <T>(work: WriteWork<T>) => Promise<T>
}

/** Maximum of waiting works; beyond it, refusing early is better than a longer wait. */
const waitingMax = 10_000

/** Maximum of works in a transaction. */
const groupMax = 128

/** Maximum of simultaneous transactions, each over a connection. */
const groupsMax = 4

/** Minimum of works for another transaction; fewer wait for one in progress, at most `lateMs`. */
const overlapMin = 32
const lateMs = 10

/** A work that has waited this long is refused too if the store fails. In milliseconds. */
const refusedAfterMs = 500

/**
 * Commits in groups. Works that arrive during a group share the next transaction and its flush. They run
 * concurrently, so that their statements share round trips. No work may undo the changes of another: if
 * a work fails after a write, the group rolls back, and each work runs again alone.
 */
export function groupCommit(parts: GroupParts): PostgresGroupCommit {
  const { clock } = parts
  let waiting: Member[] = []
  let running = 0
  let isStarting = false
  let cancelLate: (() => void) | null = null

  const isLate = (): boolean => clock.monotonic() - (waiting[0]?.since ?? Infinity) >= lateMs
  const mayStart = (): boolean => {
    if (waiting.length === 0 || running >= groupsMax) return false
    return running === 0 || waiting.length >= overlapMin || isLate()
  }
  const start = (): void => {
    if (isStarting) return
    if (mayStart()) {
      isStarting = true
      // Works of the same turn of the event loop share it.
      setImmediate(go)
    } else if (waiting.length > 0) {
      cancelLate ??= clock.after(lateMs, () => {
        cancelLate = null
        start()
      })
    }
  }
  const go = (): void => {
    isStarting = false
    const group = waiting.slice(0, groupMax)
    waiting = waiting.slice(groupMax)
    running += 1
    void runGroup(parts, group).then((failure) => {
      running -= 1
      if (failure !== null) waiting = refuseLate(waiting, clock.monotonic(), failure)
      start()
    })
    start()
  }
  return {
    run: (work) => {
      if (waiting.length >= waitingMax) {
        return Promise.reject(new StoreUnavailable(`${waitingMax} transactions are waiting`))
      }
      return new Promise((resolve, reject) => {
        const again = (): void => void parts.alone(work).then(resolve, reject)
        waiting.push(groupMember(work, { since: clock.monotonic(), resolve, reject, again }))
        start()
      })
    },
  }
}

/** Refuses the works that have waited too long, and returns the others. */
function refuseLate(waiting: readonly Member[], now: number, failure: unknown): Member[] {
  const isLate = ({ since }: Member): boolean => now - since > refusedAfterMs
  for (const member of waiting) if (isLate(member)) member.refuse(failure)
  return waiting.filter((member) => !isLate(member))
}

/** The group must roll back. */
class Spoilt extends Error {}

/** Returns the failure of the store; null if it has not failed. Never throws. */
async function runGroup(parts: GroupParts, group: readonly Member[]): Promise<unknown> {
  try {
    const answers = await runTogether(parts, group)
    for (const answer of answers) answer()
    return null
  } catch (error) {
    if (!isFailure(error)) {
      for (const member of group) member.again()
      return null
    }
    const failure = asFault(error)
    for (const member of group) member.refuse(failure)
    return failure
  }
}

async function runTogether(
  { commit }: GroupParts,
  group: readonly Member[],
): Promise<readonly (() => void)[]> {
  let answers: readonly (() => void)[] = []
  await commit(async (connection: SqlConnection, { effects, held, late }: TransactionContext) => {
    const shared: Shared = { connection, held, holders: new Map(), failure: null }
    const ends = await Promise.all(group.map((member) => member.run(shared)))
    for (const { left } of ends) addEffects(effects, left)
    if (isBroken(shared.failure)) throw shared.failure
    if (shared.failure !== null || ends.some(({ isSpoilt }) => isSpoilt)) throw new Spoilt()
    for (const end of ends) late.add(end.late)
    answers = ends.map(({ answer }) => answer)
  })
  return answers
}

/** Returns true for a failure of the store, after which an immediate retry is useless. */
function isFailure(error: unknown): boolean {
  return asFault(error) instanceof StoreUnavailable
}
