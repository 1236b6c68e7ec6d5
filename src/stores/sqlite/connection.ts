import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SqlConnection, Row, SqlValue } from '../sql/connection.ts'
import { asFault } from './fault.ts'

/**
 * A synchronous connection to a SQLite file. The functions with `now` in their names say so in their types.
 */
export interface SqliteConnection extends SqlConnection {
  /** Runs a statement without parameters, such as `begin`. */
  now(sql: string): void
  allNow(sql: string, params: readonly SqlValue[]): readonly Row[]
  firstNow(sql: string, params: readonly SqlValue[]): Row | undefined
  runNow(sql: string, params: readonly SqlValue[]): number
  /** True if a transaction is open. SQLite ends one by itself after some errors. */
  readonly inTransaction: boolean
  close(): void
}

/** More texts than the service has; queries with unusual conditions replace each other. */
const statementsMax = 500

/** Wraps a database. Each statement is prepared once; the oldest are forgotten beyond a limit. */
export function sqliteConnection(database: DatabaseSync, file: string): SqliteConnection {
  const prepare = preparing(database)

  // Repeated three times: a shared wrapper would create a function in each call.
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

/** Node's declarations have no type for a statement that returns arrays. */
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
 * SQLite plans by the number bound to a limit, so it plans the statement again at each binding
 * (`sqlite3ExprIsInteger`, since 3.47). That takes longer than most statements. It does not examine a sum.
 */
function planned(sql: string): string {
  return sql.replaceAll('limit ?', 'limit ? + 0')
}

/** The oldest are mostly frequent ones, but preparing one again takes only microseconds. */
function forgetOldest(prepared: Map<string, StatementSync>): void {
  for (const [sql] of prepared) {
    prepared.delete(sql)
    return
  }
}
