import { CounterSums, type HeldCounters, type LateWrites, lateWrites } from '../../sql/work.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import { wait } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { type Shard, wholeStore } from '../../../core/shard.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { type Effects, noEffects } from '../../commit.ts'
import { writeCounters } from '../../sql/queues/counters.ts'
import { accountQueues, type AccountQueues } from '../commits/account-queues.ts'
import { appendInSteps } from '../citus/append-in-steps.ts'
import { appendLog } from '../log/append-log.ts'
import { appendOrder, type PlantedFaults } from '../log/planted-faults.ts'
import { beginnings, openTransaction, type OpenTransaction } from './connection.ts'
import { asFault, isBroken, isOvertaken } from './fault.ts'
import { groupCommit, type PostgresGroupCommit } from '../commits/group-commit.ts'
import type { Lending } from './pool.ts'
import { apart } from '../commits/sets.ts'
import type { Statements } from './statements.ts'
import type { WriteWork } from './transaction-context.ts'

/** Runs works in separate transactions. */
export interface Transactions {
  /** Runs a transaction that only reads, from one snapshot. Those of one `turn` do not delay those of others. */
  read<T>(work: (connection: SqlConnection) => MaybePromise<T>, turn?: string): Promise<T>
  /** Runs statements that read, each by itself. */
  ask<T>(work: (connection: SqlConnection) => MaybePromise<T>): Promise<T>
  /** Runs a transaction that writes. After a serialization conflict the work runs again. */
  write<T>(work: WriteWork<T>, shard?: Shard): Promise<T>
  /** Does the same in a transaction that it shares with simultaneous works of a shard. */
  writeTogether<T>(work: WriteWork<T>, shard?: Shard): Promise<T>
}

/** Dependencies of transactions. */
export interface TransactionParts {
  readonly lending: Lending
  readonly statements: Statements
  readonly clock: Clock
  readonly random: Random
  readonly faults: PlantedFaults
  readonly isPooled: boolean
  /** True if the rows of accounts are on several servers. */
  readonly isDistributed: boolean
  /** Called after a commit. */
  readonly committed: (effects: Effects) => void
}

/** A read over a lost connection is retried, unless it took this long. In milliseconds. */
const againMs = 200

/** Maximum of attempts. */
const attemptsMax = 12
/** From this attempt on, a work locks the rows that it reads. */
const patientFrom = 2
/** Maximum wait before the first retry, and before any retry. */
const restMs = 4
const restMsMax = 100

/** Creates transactions over a pool. */
export function transactions(given: TransactionParts): Transactions {
  const { clock, random } = given
  const { isDistributed } = given
  const parts = { ...given, queues: accountQueues() }
  const signal = new AbortController().signal
  const write = async <T>(work: WriteWork<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await writeOnce(parts, work, attempt)
      } catch (error) {
        if (!isOvertaken(error)) throw asFault(error)
        if (attempt === attemptsMax) throw crowded(error)
      }
      const most = Math.min(restMs * 2 ** attempt, restMsMax)
      await wait(clock, random.fraction() * most, signal)
    }
  }
  const groups = new Map<Shard, PostgresGroupCommit>()
  const groupOf = (shard: Shard): PostgresGroupCommit => {
    const known = groups.get(shard)
    if (known !== undefined) return known
    const commit = (work: WriteWork<void>): Promise<void> => writeOnce(parts, work, 1)
    const made = groupCommit({ clock, alone: write, commit })
    groups.set(shard, made)
    return made
  }
  const readAfter =
    (beginning: string | null): Transactions['read'] =>
    async (work, turn) => {
      const began = clock.monotonic()
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(parts, { beginning, turn }, work, letGo)
        } catch (error) {
          const isLate = clock.monotonic() - began > againMs
          if (attempt > 1 || isLate || !isBroken(error)) throw asFault(error)
        }
      }
    }
  return {
    read: readAfter(beginnings.read),
    ask: readAfter(null),
    write,
    writeTogether: (work, shard = wholeStore) =>
      // Two servers commit in two phases: a work that may concern any of them disturbs no others.
      isDistributed && shard === wholeStore ? write(work) : groupOf(shard).run(work),
  }
}

type End = (opened: OpenTransaction, spoil: () => void) => Promise<void>

interface WriteParts extends TransactionParts {
  readonly queues: AccountQueues
}

function once<T>(
  { lending, statements }: TransactionParts,
  { beginning, turn }: { readonly beginning: string | null; readonly turn?: string | undefined },
  work: (connection: SqlConnection) => MaybePromise<T>,
  end: End,
): Promise<T> {
  return lending.lend(async (client, spoil) => {
    const opened = openTransaction(client, statements, beginning)
    try {
      const result = await work(opened.connection)
      await end(opened, spoil)
      return result
    } catch (error) {
      await undo(opened, error, spoil)
      throw error
    }
  }, turn)
}

async function writeOnce<T>(given: WriteParts, work: WriteWork<T>, attempt: number): Promise<T> {
  const isPatient = attempt > patientFrom
  // Statements in sets do not report enough of a conflict: the next attempt runs them alone.
  const { prepare, sets } = given.statements
  const parts = attempt === 1 ? given : { ...given, statements: { prepare, sets: apart(sets) } }
  const effects = noEffects()
  const held = new CounterSums()
  const late = lateWrites()
  const run = (connection: SqlConnection): MaybePromise<T> =>
    work(connection, { effects, isPatient, isTogether: false, held, late })
  const commit: End = async (opened) => {
    await parts.queues.run(effects.notified, async () => {
      const writeLast = (): Promise<void> => writeLate(parts, opened.connection, held, late)
      if (!parts.isDistributed) return opened.commit(writeLast)
      await writeLast()
      await opened.commit()
    })
    parts.committed(effects)
  }
  const beginning = parts.isPooled ? beginnings.writeThroughPool : beginnings.write
  return once(parts, { beginning }, run, commit)
}

/** Sends the writes to shared rows in the order of their locks: counters, then the heads of logs. */
async function writeLate(
  { faults, isDistributed }: TransactionParts,
  connection: SqlConnection,
  held: HeldCounters,
  { counted: added, notified }: LateWrites,
): Promise<void> {
  const append = isDistributed ? appendInSteps : appendLog
  const counted = [...held.take(), ...added]
  await Promise.all([
    counted.length === 0 ? null : writeCounters(connection, counted),
    notified.length === 0 ? null : append(connection, appendOrder(faults, notified)),
  ])
}

/** The end of a transaction that only read needs no wait. */
const letGo: End = async (opened, spoil) => {
  opened.commit().catch(spoil)
}

async function undo(opened: OpenTransaction, error: unknown, spoil: () => void): Promise<void> {
  opened.end()
  if (isBroken(error)) return spoil()
  await opened.rollback().catch(spoil)
}

function crowded(error: unknown): StoreUnavailable {
  return new StoreUnavailable(`a transaction was overtaken ${attemptsMax} times`, { cause: error })
}
