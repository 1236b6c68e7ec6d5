import type { PoolClient, QueryArrayResult } from 'pg'
import { type AccountReach, everyAccount } from '../../core/account.ts'
import { StoreUnavailable } from '../../core/store.ts'
import type { Connection, Row, SqlValue } from '../sql/connection.ts'
import { numberIn } from '../sql/row.ts'
import type { Prepared } from './statements.ts'

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
  readonly connection: Connection
  commit(): Promise<void>
  /** Commits; kept with how far the log could be read just after. */
  commitAndLook(): Promise<Horizon>
  rollback(): Promise<void>
  /** From here on it refuses everything. */
  end(): void
}

/** The value by which row security lets a transaction see every account. */
const allAccounts = '*'

/**
 * A transaction on a client. What is sent does not wait for what was sent before: the beginning
 * goes out together with the first statement.
 */
export function openTransaction(
  client: PoolClient,
  prepare: (sql: string) => Prepared,
  beginning: string,
): OpenTransaction {
  const sender = senderOn(client, prepare, beginning)
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

/** Sends the statements of a transaction. */
interface Sender {
  send(
    sql: string,
    params: readonly SqlValue[],
    reach: AccountReach,
  ): Promise<QueryArrayResult<unknown[]>>
  /** What the server has set for row security may be another than was set last. */
  forget(): void
  isBegun(): boolean
  end(): void
}

/**
 * Rows are those of the account that a statement is within: row security holds where the statement
 * itself does not say so.
 */
function senderOn(
  client: PoolClient,
  prepare: (sql: string) => Prepared,
  beginning: string,
): Sender {
  let begun = false
  let over = false
  let reached: string | null = null
  return {
    send: (sql, params, reach) => {
      if (over) throw new Error('this transaction is over: await everything inside it')
      if (!begun) quietly(client.query(beginning))
      begun = true
      const account = reach === everyAccount ? allAccounts : reach
      if (reached !== account) {
        quietly(client.query({ ...prepare(setAccount), values: [account] }))
        reached = account
      }
      return client.query<unknown[]>({ ...prepare(sql), values: [...params], rowMode: 'array' })
    },
    forget: () => {
      reached = null
    },
    isBegun: () => begun,
    end: () => {
      over = true
    },
  }
}

function connectionWithin(sender: Sender, reach: AccountReach): Connection {
  const send = (sql: string, params: readonly SqlValue[]) => sender.send(sql, params, reach)
  return {
    all: async (sql, params) => (await send(sql, params)).rows,
    first: async (sql, params): Promise<Row | undefined> => (await send(sql, params)).rows[0],
    run: async (sql, params) => (await send(sql, params)).rowCount ?? 0,
    within: (other) => connectionWithin(sender, other),
    hold: async (name) => {
      await send(holdName, [JSON.stringify(name)])
    },
    attempt: async (work) => {
      quietly(send('savepoint attempt', []))
      try {
        const result = await work()
        quietly(send('release savepoint attempt', []))
        return result
      } catch (error) {
        await send('rollback to savepoint attempt', [])
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
const setAccount = "select set_config('nuncio.account', ?, true)"
const holdName = 'select pg_advisory_xact_lock(hashtextextended(?, 0))'

/** Where this fails, so does what is sent behind it. */
function quietly(sent: Promise<unknown>): void {
  sent.catch(() => {})
}
