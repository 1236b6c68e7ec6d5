import type { Collection } from '../../../src/core/declaration/collection.ts'
import type { Log } from '../../../src/core/ports/log.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { type PostgresOptions, postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { testDatabase, testPostgres } from './database.ts'

/** A store of a test, with the address by which others can open it, too. */
export interface TestStore extends Store {
  readonly url: string
}

const prepared = new Map<string, Promise<string>>()

/**
 * Opens an empty store in a database of its own, which goes with it. The tables of the same
 * collections are made once and then copied, which takes a tenth of the time.
 */
export async function openPostgres(
  collections: readonly Collection[],
  log: Log = () => {},
  options: PostgresOptions = {},
): Promise<TestStore> {
  const database = await testDatabase(await template(collections))
  const store = await postgresStore(database.url, collections, log, options)
  return {
    ...store,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Returns the name of a database with the tables of these collections. */
async function template(collections: readonly Collection[]): Promise<string> {
  const server = await testPostgres()
  if (typeof server === 'string') throw new Error(server)
  const key = JSON.stringify(collections)
  const found =
    prepared.get(key) ??
    server.template(key, async (url) => {
      await (await postgresStore(url, collections))[Symbol.asyncDispose]()
    })
  prepared.set(key, found)
  return found
}
