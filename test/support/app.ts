import type { TestContext } from 'node:test'
import { startApp, type App } from '../../src/app.ts'
import type { Config } from '../../src/config/config.ts'
import { testConfig } from './api.ts'

/** The key that a service in a test is given for its administrator. */
const adminKey = `nuncio_${'administrator'.repeat(3)}`

/** The service with its socket, over a store in memory unless told otherwise; ends with the test. */
export async function startOnSocket(
  t: TestContext,
  config: Partial<Config> = {},
): Promise<{ readonly app: App; readonly baseUrl: string; readonly key: string }> {
  const own = { adminKey, simulatorDelayMs: 0, ...config }
  const app = await startApp({ ...testConfig, ...own }, { log: () => {} })
  let running = true
  t.after(() => (running ? app.stop() : undefined))
  const stop = async (): Promise<void> => {
    running = false
    await app.stop()
  }
  return { app: { ...app, stop }, baseUrl: app.url, key: own.adminKey ?? '' }
}
