import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Connection, Row } from '../sql/connection.ts'
import { asFault } from './fault.ts'

/** A connection to a SQLite file. Its promises are kept at once: only microtasks lie between. */
export interface SqliteConnection extends Connection {
  /** Runs a statement without parameters, such as `begin`, at once. */
  now(sql: string): void
  /** Whether a transaction is open. SQLite ends one by itself after some errors. */
  readonly inTransaction: boolean
  close(): void
}

/** More texts than the service has; queries with unusual conditions push each other out. */
const statementsMax = 500

/** Wraps a database. Statements are prepared once each; of those not used for long some are forgotten. */
export function sqliteConnection(database: DatabaseSync, file: string): SqliteConnection {
  const prepare = preparing(database)

  const connection: SqliteConnection = {
    all: (sql, params) => {
      try {
        return Promise.resolve(rowsOf(prepare(sql).all(...params)))
      } catch (error) {
        return Promise.reject(asFault(file, error))
      }
    },
    first: (sql, params) => {
      try {
        return Promise.resolve(rowOf(prepare(sql).get(...params)))
      } catch (error) {
        return Promise.reject(asFault(file, error))
      }
    },
    run: (sql, params) => {
      try {
        return Promise.resolve(Number(prepare(sql).run(...params).changes))
      } catch (error) {
        return Promise.reject(asFault(file, error))
      }
    },
    now: (sql) => {
      try {
        prepare(sql).run()
      } catch (error) {
        throw asFault(file, error)
      }
    },
    get inTransaction() {
      return database.isTransaction
    },
    within: () => connection,
    hold: async () => {},
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
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    if (prepared.size >= statementsMax) forgetOldest(prepared)
    prepared.set(sql, statement)
    return statement
  }
}

/** Those prepared first are mostly the frequent ones, but to prepare one again costs only microseconds. */
function forgetOldest(prepared: Map<string, StatementSync>): void {
  for (const [sql] of prepared) {
    prepared.delete(sql)
    return
  }
}
