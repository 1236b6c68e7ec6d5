import type { MaybePromise } from '../../../core/maybe-promise.ts'
import { type Effects, noEffects } from '../../commit.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { CreditMoves } from '../../sql/queues/credit-moves.ts'
import { type LateWrites, lateWrites } from '../../sql/late-writes.ts'
import { SerializationConflict } from '../../sql/serialization-conflict.ts'
import type { WriteWork } from '../connection/transaction-context.ts'

/** What the works of a group share. */
export interface Shared {
  readonly connection: SqlConnection
  readonly moves: CreditMoves
  /** Who holds which name. */
  readonly holders: Map<string, object>
  /** The first error of a statement: from then on the transaction takes nothing. */
  failure: unknown
}

/** How the turn of a work ended. */
export interface MemberEnd {
  /** What it wrote cannot be kept, and so nothing that the others wrote. */
  readonly isSpoilt: boolean
  readonly left: Effects
  readonly late: LateWrites
  /** Tells whoever waits, when the group is committed. */
  readonly answer: () => void
}

/** A work that waits for a transaction with others. */
export interface Member {
  /** Since when it waits, on the monotonic clock. */
  readonly since: number
  /** Runs it. Never throws. */
  run(shared: Shared): Promise<MemberEnd>
  /** Runs it by itself. */
  again(): void
  refuse(failure: unknown): void
}

/** How whoever waits for a work hears of it. */
export interface GroupWaiter<T> {
  readonly since: number
  readonly resolve: (result: T) => void
  readonly reject: (error: unknown) => void
  readonly again: () => void
}

/** A work that is to be run together with others. */
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
      const moves = watched(shared.moves, trace)
      const late = lateWrites()
      const turn = { effects, isPatient: false, isTogether: true, moves, late }
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

/** What a work has done. */
interface Trace {
  hasWritten: boolean
  /** Statements that may write, and are not answered yet. */
  writing: number
}

/**
 * The connection as one of several works has it. What excludes other transactions does not exclude
 * works in the same one: whoever needs that is run by himself.
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
      // Who was overtaken by another and found no row has written nothing.
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

function watched(moves: CreditMoves, trace: Trace): CreditMoves {
  return {
    ...moves,
    add: (account, micros) => {
      trace.hasWritten = true
      moves.add(account, micros)
    },
  }
}

function isRead(sql: string): boolean {
  return /^\s*(\/\*[^*]*\*\/)?\s*select\b/.test(sql)
}
