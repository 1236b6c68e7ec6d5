import type { PoolClient } from 'pg'
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
  /** Whether anything was sent. */
  readonly isBegun: boolean
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
 * goes out together with the first statement. Rows are those of the account that a statement is
 * within; row security holds where the statement itself does not say so.
 */
export function openTransaction(
  client: PoolClient,
  prepare: (sql: string) => Prepared,
  beginning: string,
): OpenTransaction {
  let begun = false
  let over = false
  let reached: string | null = null

  const send = (sql: string, params: readonly SqlValue[], reach: AccountReach) => {
    if (over) throw new Error('this transaction is over: await everything inside it')
    if (!begun) quietly(client.query(beginning))
    begun = true
    const account = reach === everyAccount ? allAccounts : reach
    if (reached !== account) {
      quietly(client.query({ ...prepare(setAccount), values: [account] }))
      reached = account
    }
    return client.query<unknown[]>({ ...prepare(sql), values: [...params], rowMode: 'array' })
  }
  const within = (reach: AccountReach): Connection => {
    const connection: Connection = {
      all: async (sql, params) => (await send(sql, params, reach)).rows,
      first: async (sql, params): Promise<Row | undefined> =>
        (await send(sql, params, reach)).rows[0],
      run: async (sql, params) => (await send(sql, params, reach)).rowCount ?? 0,
      within,
      hold: async (name) => {
        await send(holdName, [name], reach)
      },
      attempt: async (work) => {
        quietly(send('savepoint attempt', [], reach))
        try {
          const result = await work()
          quietly(send('release savepoint attempt', [], reach))
          return result
        } catch (error) {
          await send('rollback to savepoint attempt', [], reach)
          // What the statements before it set is as it was before them.
          reached = null
          throw error
        }
      },
    }
    return connection
  }

  const commit = async (): Promise<void> => {
    if (!begun) return
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new StoreUnavailable('PostgreSQL undid the transaction')
  }

  return {
    connection: within(everyAccount),
    get isBegun() {
      return begun
    },
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
      if (begun) await client.query('rollback')
    },
    end: () => {
      over = true
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
