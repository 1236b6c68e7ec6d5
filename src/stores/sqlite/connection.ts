import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SqlConnection, Row, SqlValue } from '../sql/connection.ts'
import { asFault } from './fault.ts'

/**
 * A connection to a SQLite file. It does everything at once; what is called `now` says so in its type.
 */
export interface SqliteConnection extends SqlConnection {
  /** Runs a statement without parameters, such as `begin`. */
  now(sql: string): void
  allNow(sql: string, params: readonly SqlValue[]): readonly Row[]
  firstNow(sql: string, params: readonly SqlValue[]): Row | undefined
  runNow(sql: string, params: readonly SqlValue[]): number
  /** Whether a transaction is open. SQLite ends one by itself after some errors. */
  readonly inTransaction: boolean
  close(): void
}

/** More texts than the service has; queries with unusual conditions push each other out. */
const statementsMax = 500

/** Wraps a database. Statements are prepared once each; of those not used for long some are forgotten. */
export function sqliteConnection(database: DatabaseSync, file: string): SqliteConnection {
  const prepare = preparing(database)

  // Written out three times: a function around each would be made with each call.
  const at: Pick<SqliteConnection, 'allNow' | 'firstNow' | 'runNow'> = {
    allNow: (sql, params) => {
      try {
        return rowsOf(prepare(sql).all(...params))
      } catch (error) {
        throw asFault(file, error)
      }
    },
    firstNow: (sql, params) => {
      try {
        return rowOf(prepare(sql).get(...params))
      } catch (error) {
        throw asFault(file, error)
      }
    },
    runNow: (sql, params) => {
      try {
        return Number(prepare(sql).run(...params).changes)
      } catch (error) {
        throw asFault(file, error)
      }
    },
  }

  const connection: SqliteConnection = {
    ...at,
    all: at.allNow,
    first: at.firstNow,
    run: at.runNow,
    now: (sql) => void at.runNow(sql, []),
    get inTransaction() {
      return database.isTransaction
    },
    lockName: async () => {},
    attempt: (work) => work(),
    close: () => database.close(),
  }
  return connection
}

/** A statement that returns arrays has no type of its own in Node's declarations. */
function rowsOf(rows: unknown): readonly Row[] {
  return rows as readonly Row[]
}

function rowOf(row: unknown): Row | undefined {
  return row as Row | undefined
}

function preparing(database: DatabaseSync): (sql: string) => StatementSync {
  const prepared = new Map<string, StatementSync>()
  return (sql) => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(planned(sql))
    statement.setReturnArrays(true)
    if (prepared.size >= statementsMax) forgetOldest(prepared)
    prepared.set(sql, statement)
    return statement
  }
}

/**
 * SQLite plans by the number that is bound to a limit, and so plans a statement anew whenever it is bound,
 * which takes longer than most of them do (`sqlite3ExprIsInteger`, since 3.47). It does not look into a sum.
 */
function planned(sql: string): string {
  return sql.replaceAll('limit ?', 'limit ? + 0')
}

/** Those prepared first are mostly the frequent ones, but to prepare one again costs only microseconds. */
function forgetOldest(prepared: Map<string, StatementSync>): void {
  for (const [sql] of prepared) {
    prepared.delete(sql)
    return
  }
}
