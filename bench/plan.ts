import type { AccountId } from '../src/core/account.ts'
import type { Collection } from '../src/core/declaration/collection.ts'
import type { Reader } from '../src/core/ports/store.ts'
import { catalogue } from '../src/stores/sql/tables/catalogue.ts'
import type { SqlConnection, SqlParameter } from '../src/stores/sql/connection.ts'
import { everyCell } from '../src/stores/sql/tables/slice.ts'
import { sqlReader } from '../src/stores/sql/rows/reader.ts'
import { sqliteConnection } from '../src/stores/sqlite/connection.ts'
import { sqliteDialect } from '../src/stores/sqlite/dialect.ts'
import { openReader } from '../src/stores/sqlite/open-file.ts'

/** How SQLite goes about the statements of a read: the indexes it uses, and what it sorts. */
export async function planOf(
  file: string,
  collections: readonly Collection[],
  account: AccountId,
  work: (reader: Reader) => Promise<unknown>,
): Promise<string> {
  const database = openReader(file)
  const connection = sqliteConnection(database, file)
  const plans: string[] = []
  const note = (sql: string, params: readonly SqlParameter[]): void => {
    const steps = database.prepare(`explain query plan ${sql}`).all(...params)
    plans.push(...steps.flatMap((row) => inShort(String(row['detail']))))
  }
  const recording: SqlConnection = {
    ...connection,
    all: (sql, params) => {
      note(sql, params)
      return connection.all(sql, params)
    },
    first: (sql, params) => {
      note(sql, params)
      return connection.first(sql, params)
    },
  }
  const tables = catalogue(collections, sqliteDialect)
  const session = {
    connection: recording,
    catalogue: tables,
    dialect: sqliteDialect,
    slices: everyCell,
  }
  await work(sqlReader(session, account))
  connection.close()
  return [...new Set(plans)].join(', ')
}

function inShort(step: string): readonly string[] {
  if (step.includes('USE TEMP B-TREE')) return ['sorts']
  const [, index, terms] = /INDEX (\S+) \((.*)\)$/.exec(step) ?? []
  if (index !== undefined) return [`${index.replace(/^sqlite_autoindex_/, '')} (${terms})`]
  return /^SCAN (s\/\S+)/.exec(step)?.slice(1) ?? []
}
