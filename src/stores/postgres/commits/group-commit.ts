import type { Clock } from '../../../core/ports/clock.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { addEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { asFault, isBroken } from '../connection/fault.ts'
import { groupMember, type Member, type Shared } from './group-member.ts'
import type { TransactionContext, WriteWork } from '../connection/transaction-context.ts'

/** What commits in groups. */
export interface PostgresGroupCommit {
  run<T>(work: WriteWork<T>): Promise<T>
}

/** What groups are made of. */
export interface GroupParts {
  readonly clock: Clock
  /** Runs a work in a transaction and commits it, once. */
  readonly commit: (work: WriteWork<void>) => Promise<void>
  /** Runs a work in a transaction of its own, again where another was faster. */
  readonly alone: <T>(work: WriteWork<T>) => Promise<T>
}

/** So many may wait; beyond, refusing early is kinder. */
const waitingMax = 10_000

/** So many share a transaction at the most. */
const groupMax = 128

/** So many transactions at once, each over a connection. */
const groupsMax = 4

/** So many are worth a transaction beside one that is at work; fewer wait for it, but not for longer. */
const overlapMin = 32
const lateMs = 10

/** Whoever waits for so long when the store fails is told so with those whose turn it was. */
const refusedAfterMs = 500

/**
 * Commits in groups: what comes while a group is at work shares the next transaction, and one wait
 * for the disk. The works of a group go on side by side, so that what they ask for goes out together.
 * None may undo what another one did: where a work fails that wrote something, nothing of the group
 * is kept, and each is run again by itself.
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
      // Those that come in the same turn of the event loop share it.
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

/** Refuses those that have waited too long to wait on, and returns the others. */
function refuseLate(waiting: readonly Member[], now: number, failure: unknown): Member[] {
  const isLate = ({ since }: Member): boolean => now - since > refusedAfterMs
  for (const member of waiting) if (isLate(member)) member.refuse(failure)
  return waiting.filter((member) => !isLate(member))
}

/** Nothing of the group may be kept. */
class Spoilt extends Error {}

/** Returns why the store failed, where it did. Never throws. */
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
  await commit(async (connection: SqlConnection, { effects, moves, late }: TransactionContext) => {
    const shared: Shared = { connection, moves, holders: new Map(), failure: null }
    const ends = await Promise.all(group.map((member) => member.run(shared)))
    for (const { left } of ends) addEffects(effects, left)
    if (isBroken(shared.failure)) throw shared.failure
    if (shared.failure !== null || ends.some(({ isSpoilt }) => isSpoilt)) throw new Spoilt()
    for (const end of ends) late.add(end.late)
    answers = ends.map(({ answer }) => answer)
  })
  return answers
}

/** Whether the store failed, so that it helps nobody to try again now. */
function isFailure(error: unknown): boolean {
  return asFault(error) instanceof StoreUnavailable
}
