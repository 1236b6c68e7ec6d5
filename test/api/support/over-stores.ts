import type { TestContext } from 'node:test'
import type { Config } from '../../../src/config/config.ts'
import { builtIn } from '../../../src/collections/built-in.ts'
import { openStore, presentStoreKinds, type StoreKind } from '../../gateway/support/stores.ts'
import { patientClock } from '../../support/virtual-clock.ts'
import { startApi, type TestApi } from '../../support/api.ts'

/** The stores that the service is tried over: PostgreSQL where there is one. */
export const storeKinds = presentStoreKinds

/** Starts the service over an empty store of this kind; both end with the test. */
export async function startOver(
  t: TestContext,
  kind: StoreKind,
  config: Partial<Config> = {},
): Promise<TestApi> {
  const store = await openStore(kind, builtIn)
  return startApi(t, {
    config,
    store,
    ...(kind === 'postgres' && { clock: patientClock(() => store.health?.pools() ?? []) }),
  })
}
