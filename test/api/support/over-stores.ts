import type { TestContext } from 'node:test'
import type { Config } from '../../../src/config/config.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { flushAtOnce } from '../../support/flush-at-once.ts'
import { noPostgres } from '../../support/postgres/database.ts'
import { openPostgres } from '../../support/postgres/open-store.ts'
import { temporaryDirectory } from '../../stores/temporary-directory.ts'
import { patientClock } from '../../support/virtual-clock.ts'
import { startApi, type TestApi } from '../../support/api.ts'

const kinds = ['memory', 'sqlite', 'postgres'] as const

/** The stores that the service is tried over: PostgreSQL where there is one. */
export const storeKinds = (await noPostgres()) === false ? kinds : (['memory', 'sqlite'] as const)

/** Starts the service over an empty store of this kind; both end with the test. */
export async function startOver(
  t: TestContext,
  kind: (typeof kinds)[number],
  config: Partial<Config> = {},
): Promise<TestApi> {
  if (kind === 'memory') return startApi(t, { config })
  if (kind === 'postgres') {
    return startApi(t, { config, store: await openPostgres(builtIn), clock: patientClock() })
  }
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('nuncio.db'), builtIn, () => {}, flushAtOnce)
  const api = await startApi(t, { config, store })
  t.after(() => directory[Symbol.asyncDispose]())
  return api
}
