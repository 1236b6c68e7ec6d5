import {
  type HeldCounters,
  type LateWrites,
  lateWrites,
  SerializationConflict,
} from '../../sql/work.ts'
import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { type Effects, noEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { WriteWork } from '../connection/transaction-context.ts'

/** State that the works of a group share. */
export interface Shared {
  readonly connection: SqlConnection
  /** Changes of locked counters. */
  readonly held: HeldCounters
  /** The holders of locked names. */
  readonly holders: Map<string, object>
  /** The first error of a statement: after it, the transaction accepts no statement. */
  failure: unknown
}

/** The end of a work in a group. */
export interface MemberEnd {
  /** True if its changes, and so those of the group, must be undone. */
  readonly isSpoilt: boolean
  readonly left: Effects
  readonly late: LateWrites
  /** Settles the promise of the caller, after the commit of the group. */
  readonly answer: () => void
}

/** A work that waits for a shared transaction. */
export interface Member {
  /** The beginning of its wait, on the monotonic clock. */
  readonly since: number
  /** Runs it in the group. Never throws. */
  run(shared: Shared): Promise<MemberEnd>
  /** Runs it alone. */
  again(): void
  refuse(failure: unknown): void
}

/** The functions that settle the promise of a work. */
export interface GroupWaiter<T> {
  readonly since: number
  readonly resolve: (result: T) => void
  readonly reject: (error: unknown) => void
  readonly again: () => void
}

/** Creates a work for a group. */
export function groupMember<T>(
  work: WriteWork<T>,
  { since, resolve, reject, again }: GroupWaiter<T>,
): Member {
  return {
    since,
    again,
    refuse: reject,
    run: async (shared) => {
      const effects = noEffects()
      const trace: Trace = { hasWritten: false, writing: 0 }
      const connection = guarded(shared.connection, shared, trace)
      const held = watched(shared.held, trace)
      const late = lateWrites()
      const turn = { effects, isPatient: false, isTogether: true, held, late }
      try {
        const result = await work(connection, turn)
        return { isSpoilt: false, left: effects, late, answer: () => resolve(result) }
      } catch (error) {
        const answer = error instanceof SerializationConflict ? again : (): void => reject(error)
        const isSpoilt = trace.hasWritten || trace.writing > 0
        return { isSpoilt, left: noEffects(), late: lateWrites(), answer }
      }
    },
  }
}

/** The progress of a work. */
interface Trace {
  hasWritten: boolean
  /** Number of statements that may write and have no result yet. */
  writing: number
}

/**
 * The connection of one of several works. Locks exclude other transactions, not other works of this one: a
 * work that needs them runs alone.
 */
function guarded(connection: SqlConnection, shared: Shared, trace: Trace): SqlConnection {
  const seen = async <T>(asked: () => MaybePromise<T>): Promise<T> => {
    try {
      return await asked()
    } catch (error) {
      if (!(error instanceof SerializationConflict)) shared.failure ??= error
      throw error
    }
  }
  const written = async <T>(asked: () => MaybePromise<T>): Promise<T> => {
    trace.writing += 1
    try {
      const answer = await seen(asked)
      // After a serialization conflict a statement that found no row has written nothing.
      if (answer !== 0) trace.hasWritten = true
      return answer
    } catch (error) {
      trace.hasWritten = true
      throw error
    } finally {
      trace.writing -= 1
    }
  }
  const traced = (sql: string): typeof seen => (isRead(sql) ? seen : written)
  return {
    all: (sql, params) => traced(sql)(() => connection.all(sql, params)),
    first: (sql, params) => traced(sql)(() => connection.first(sql, params)),
    run: (sql, params) => traced(sql)(() => connection.run(sql, params)),
    lockName: async (parts) => {
      const name = JSON.stringify(parts)
      const holder = shared.holders.get(name)
      if (holder !== undefined && holder !== trace) throw new SerializationConflict()
      shared.holders.set(name, trace)
      await connection.lockName(parts)
    },
    attempt: () => Promise.reject(new SerializationConflict()),
  }
}

function watched(held: HeldCounters, trace: Trace): HeldCounters {
  return {
    of: (counter) => held.of(counter),
    add: (change) => {
      trace.hasWritten = true
      held.add(change)
    },
    isEmpty: () => held.isEmpty(),
    take: () => held.take(),
  }
}

function isRead(sql: string): boolean {
  return /^\s*(\/\*[^*]*\*\/)?\s*select\b/.test(sql)
}
