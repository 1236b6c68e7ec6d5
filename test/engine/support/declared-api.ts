import type { TestContext } from 'node:test'
import { offerOf } from '../../../src/wiring/wire.ts'
import { memoryStore } from '../../oracle/memory-store.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { openPostgres } from '../../support/postgres/open-store.ts'
import { temporaryDirectory } from '../../stores/temporary-directory.ts'
import { startApi, testConfig, type TestApi } from '../../support/api.ts'

/** The stores that a declared collection must be the same in. */
export const storeKinds = ['memory', 'SQLite'] as const

/** Starts the service with collections of an operator's, as a configuration file has them. */
export async function startDeclared(
  t: TestContext,
  kind: (typeof storeKinds)[number] | 'PostgreSQL',
  declarations: readonly unknown[],
): Promise<TestApi> {
  const offer = offerOf({ ...testConfig, declarations })
  const { collections } = offer
  if (kind === 'memory') return startApi(t, { offer, store: memoryStore(collections) })

  if (kind === 'PostgreSQL') return startApi(t, { offer, store: await openPostgres(collections) })
  const directory = await temporaryDirectory()
  const store = await sqliteStore(directory.file('nuncio.db'), collections)
  const api = await startApi(t, { offer, store })
  t.after(() => directory[Symbol.asyncDispose]())
  return api
}
