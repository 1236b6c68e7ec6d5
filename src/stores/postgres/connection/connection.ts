import type { PoolClient } from 'pg'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection, Row } from '../../sql/connection.ts'
import { inSets } from '../../sql/fragment.ts'
import { quietly, type GroupSender, senderOn } from '../commits/sender.ts'
import type { Statements } from './statements.ts'

/**
 * Writes and cheap reads find each row by its index, one by one and in its order. Otherwise a plan from the time
 * of an empty table reads all of it when it is full, or all rows of an account, or sorts a queue for its first row.
 */
export const byIndex = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_hashjoin',
  'enable_mergejoin',
  // Where no index serves, older versions estimate a cost beyond that from which they compile a plan.
  'jit',
]

/** Statements that begin a transaction. */
export const beginnings = {
  /** Each statement sees the commits before its own beginning. */
  write: 'begin isolation level read committed',
  /** The same through a pool, which keeps no setting of a connection. */
  writeThroughPool: [
    'begin isolation level read committed',
    ...byIndex.map((name) => `set local ${name} = off`),
  ].join('; '),
  /** Every statement sees the commits before the first one began. */
  read: 'begin isolation level repeatable read read only',
} as const

/** A transaction on a connection of a pool. */
export interface OpenTransaction {
  readonly connection: SqlConnection
  /** Commits. The statements that `sendLast` sends go out together with the commit. */
  commit(sendLast?: () => Promise<void>): Promise<void>
  rollback(): Promise<void>
  /** Refuses all further statements. */
  end(): void
}

/**
 * A transaction on a client. Statements do not wait for earlier results: the beginning shares a round trip
 * with the first statement. Without a beginning each statement is by itself.
 */
export function openTransaction(
  client: PoolClient,
  statements: Statements,
  beginning: string | null,
): OpenTransaction {
  const sender = senderOn(client, statements, beginning)
  const connection = connectionOn(sender)
  return {
    connection,
    commit: async (sendLast) => {
      const last = sendLast?.()
      sender.end()
      if (!sender.isBegun()) return
      const committed = client.query('commit')
      quietly(committed)
      // If a statement fails, its error says more than the end of the transaction.
      await last
      const { command } = await committed
      if (command !== 'COMMIT') throw new StoreUnavailable('PostgreSQL undid the transaction')
    },
    rollback: async () => {
      if (sender.isBegun()) await client.query('rollback')
    },
    end: sender.end,
  }
}

function connectionOn(sender: GroupSender): SqlConnection {
  const { send } = sender
  return {
    all: async (sql, params) => (await send(sql, params)).rows,
    first: async (sql, params): Promise<Row | undefined> => (await send(sql, params)).rows[0],
    run: async (sql, params) => (await send(sql, params)).count,
    lockName: async (name) => {
      await send(holdName, [JSON.stringify(name)])
    },
    attempt: async (work) => {
      quietly(sender.sendApart('savepoint attempt'))
      try {
        const result = await work()
        quietly(sender.sendApart('release savepoint attempt'))
        return result
      } catch (error) {
        await sender.sendApart('rollback to savepoint attempt')
        throw error
      }
    },
  }
}

const holdName = `${inSets} select pg_advisory_xact_lock(hashtextextended(?, 0))`
