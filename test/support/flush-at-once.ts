import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row } from '../../src/stores/sql/connection.ts'
import { openReader } from '../../src/stores/sqlite/open-file.ts'
import type { ReadThreads } from '../../src/stores/sqlite/read-threads.ts'
import type { SqliteOptions } from '../../src/stores/sqlite/sqlite-store.ts'

/**
 * A disk that is as fast as memory, commits that end by their size alone, and expensive reads without
 * threads: all take microtasks alone, so that a test on a virtual clock sees all of them. What a real disk
 * and threads do is tried by the tests of the store and of the process.
 */
export const flushAtOnce: SqliteOptions = {
  clock: { monotonic: () => 0 },
  flush: () => ({ run: () => Promise.resolve(), close: () => {} }),
  threads: readAtOnce,
}

function readAtOnce(file: string): ReadThreads {
  let database: DatabaseSync | null = null
  const prepared = new Map<string, StatementSync>()
  const open = (): DatabaseSync => {
    const opened = openReader(file)
    opened.function('proceeds', () => 1)
    return opened
  }
  return {
    all: async (_, { sql, params }) => {
      database ??= open()
      const statement = prepared.get(sql) ?? database.prepare(sql)
      prepared.set(sql, statement)
      statement.setReturnArrays(true)
      // A statement that returns arrays has no type of its own in Node's declarations.
      return statement.all(...params) as unknown as readonly Row[]
    },
    [Symbol.asyncDispose]: async () => database?.close(),
  }
}
