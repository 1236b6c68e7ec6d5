import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from './postgres/start-keeper.ts'

const parts = new AsyncDisposableStack()

/**
 * Prepares what the test files of one run share: a PostgreSQL, and what Node makes of the source. A test
 * file that runs alone does without.
 */
export async function globalSetup(): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'nuncio-test-cache-'))
  parts.defer(() => rmSync(cache, { recursive: true, force: true, maxRetries: 5 }))
  process.env['NODE_COMPILE_CACHE'] ??= cache

  if ((process.env['NUNCIO_TEST_POSTGRES'] ?? '') !== '') return
  const keeper = await startKeeper()
  // Each test file then says why it has none.
  if ('fault' in keeper) return
  parts.defer(() => keeper.stop())
  process.env['NUNCIO_TEST_POSTGRES'] = `postgres://postgres@127.0.0.1:${keeper.port}/postgres`
  process.env['NUNCIO_TEST_RUN'] = String(process.pid)
}

/** Ends what the test files shared. */
export async function globalTeardown(): Promise<void> {
  await parts.disposeAsync()
}
