import type { Collection } from '../../../src/core/declaration/collection.ts'
import { systemClock } from '../../../src/core/ports/clock.ts'
import type { Log } from '../../../src/core/ports/log.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { distribute } from '../../../src/stores/postgres/citus/distribute.ts'
import { type PostgresOptions, postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { postgresSource } from '../../../src/stores/postgres/schema/postgres-end.ts'
import { ask } from './cluster.ts'

const silent: Log = () => {}

/** Makes an empty distributed store for collections in the database of a cluster, and returns once it is complete. */
export async function makeDistributed(
  url: string,
  collections: readonly Collection[],
  shards: number,
): Promise<void> {
  const old = await tablesIn(url)
  if (old.length > 0) await ask(url, [`drop table ${old.join(', ')} cascade`])
  await (await postgresStore(url, collections))[Symbol.asyncDispose]()
  await using end = await postgresSource(url, { clock: systemClock, log: silent })
  await distribute({ end, shards, report: () => {} })
}

/** Opens empty stores in one database, one after the other: making distributed tables takes seconds. */
export function emptyStores(
  url: string,
): (collections: readonly Collection[], log?: Log, options?: PostgresOptions) => Promise<Store> {
  let made = ''
  return async (collections, log = silent, options = {}) => {
    const wanted = JSON.stringify(collections)
    if (made === wanted) await empty(url)
    else await makeDistributed(url, collections, 4)
    made = wanted
    // A hundred transactions at once wait for a connection for as long as a busy machine needs for those before.
    return postgresStore(`${url}?connections=100`, collections, log, options)
  }
}

async function empty(url: string): Promise<void> {
  const kept = ['"meta"', '"declarations"']
  const tables = (await tablesIn(url)).filter((name) => !kept.includes(name))
  await ask(url, [`truncate ${tables.join(', ')}`, "delete from meta where name = 'fence'"])
}

async function tablesIn(url: string): Promise<readonly string[]> {
  const rows = await ask(url, [
    `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
        and relname not like 'citus%'`,
  ])
  return rows.map(({ name }) => `"${String(name)}"`)
}
