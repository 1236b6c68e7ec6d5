import type { PoolClient } from 'pg'
import { type AccountReach, everyAccount } from '../../../core/account.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection, Row, SqlValue } from '../../sql/connection.ts'
import { inSets } from '../../sql/lists/in-sets.ts'
import { numberIn } from '../../sql/rows/row.ts'
import { quietly, type GroupSender, senderOn } from '../commits/sender.ts'
import type { Statements } from './statements.ts'

/** How a transaction begins. */
export const beginnings = {
  /** Each statement sees what is committed when it begins. */
  write: 'begin isolation level read committed',
  /** Every statement sees what was committed when the first began. */
  read: 'begin isolation level repeatable read read only',
} as const

/** How far the log can be read: all transactions below `settled` are over, `next` has not begun. */
export interface Horizon {
  readonly settled: number
  readonly next: number
}

/** A transaction on a connection that was lent for it. */
export interface OpenTransaction {
  readonly connection: SqlConnection
  commit(): Promise<void>
  /** Commits; kept with how far the log could be read just after. */
  commitAndLook(): Promise<Horizon>
  rollback(): Promise<void>
  /** From here on it refuses everything. */
  end(): void
}

/**
 * A transaction on a client. What is sent does not wait for what was sent before: the beginning
 * goes out together with the first statement.
 */
export function openTransaction(
  client: PoolClient,
  statements: Statements,
  beginning: string,
): OpenTransaction {
  const sender = senderOn(client, statements, beginning)
  const commit = async (): Promise<void> => {
    if (!sender.isBegun()) return
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new StoreUnavailable('PostgreSQL undid the transaction')
  }

  return {
    connection: connectionWithin(sender, everyAccount),
    commit,
    commitAndLook: async () => {
      const committed = commit()
      const looked = client.query<unknown[]>({ text: horizon, rowMode: 'array' })
      quietly(looked)
      await committed
      const [settled, next] = (await looked).rows[0] ?? []
      return { settled: numberIn(settled), next: numberIn(next) }
    },
    rollback: async () => {
      if (sender.isBegun()) await client.query('rollback')
    },
    end: sender.end,
  }
}

function connectionWithin(sender: GroupSender, reach: AccountReach): SqlConnection {
  const send = (sql: string, params: readonly SqlValue[]) => sender.send(sql, params, reach)
  return {
    all: async (sql, params) => (await send(sql, params)).rows,
    first: async (sql, params): Promise<Row | undefined> => (await send(sql, params)).rows[0],
    run: async (sql, params) => (await send(sql, params)).count,
    within: (other) => connectionWithin(sender, other),
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
        // What the statements since then set is as it was before them.
        sender.forget()
        throw error
      }
    },
  }
}

/** Asks how far the log can be read. */
export const horizon = `
  select pg_snapshot_xmin(of)::text, pg_snapshot_xmax(of)::text from pg_current_snapshot() as of`
const holdName = `${inSets} select pg_advisory_xact_lock(hashtextextended(?, 0))`
