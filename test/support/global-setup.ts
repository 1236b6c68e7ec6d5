import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeeper } from './postgres/start-keeper.ts'

/** The folder in memory that Linux has. To copy a database takes a third of the time there. */
const memory = '/dev/shm'

/** Ten times what a run needs. */
const neededBytes = 4 * 1024 ** 3

const parts = new AsyncDisposableStack()

/**
 * Prepares what the test files of one run share: a PostgreSQL, and what Node makes of the source. A test
 * file that runs alone does without.
 */
export async function globalSetup(): Promise<void> {
  // What later runs find again stays on the disk.
  process.env['NUNCIO_TEST_PROGRAMS'] ??= tmpdir()
  const folder = mkdtempSync(join(hasRoomInMemory() ? memory : tmpdir(), 'nuncio-test-run-'))
  parts.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  // PostgreSQL runs as another user where root runs the tests.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')

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

function hasRoomInMemory(): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}
