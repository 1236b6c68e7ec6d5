import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { sqliteStore, type SqliteOptions } from './sqlite-store.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs')

/** Opens a store in a temporary directory. The directory is removed when the store closes or the process exits. */
export async function temporaryStore(
  collections: readonly Collection[],
  log: Log = () => {},
  options: SqliteOptions = {},
): Promise<Store> {
  const directory = mkdtempSync(join(tmpdir(), 'nuncio-'))
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', remove)
  const discard = (): void => {
    process.removeListener('exit', remove)
    remove()
  }
  try {
    const store = await sqliteStore(join(directory, 'nuncio.db'), collections, log, options)
    return {
      ...store,
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]()
        discard()
      },
    }
  } catch (error) {
    discard()
    throw error
  }
}
