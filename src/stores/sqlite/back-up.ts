import type { DatabaseSync } from 'node:sqlite'
import type { StorePages } from '../../core/ports/moving.ts'
import { StoreUnavailable } from '../../core/ports/store.ts'
import { asFault } from './fault.ts'
import { checkOwner } from './migrate.ts'
import { openReader } from './open-file.ts'

// Not imported, which would load all that they export (docs/decisions/0016).
const { closeSync, existsSync, openSync, rmSync } = process.getBuiltinModule('node:fs')
const { backup } = process.getBuiltinModule('node:sqlite')

/** Pages of 8 KiB that are copied before other work gets a turn. */
const pagesAtOnce = 500

/**
 * Copies a file into a new one that only its owner can read. The service may write to the file during the
 * copy. Throws `StoreUnavailable` if a file is missing or exists already; then it leaves no copy.
 */
export async function backUpFile(
  from: string,
  to: string,
  report: (pages: StorePages) => void,
): Promise<void> {
  if (!existsSync(from)) throw new StoreUnavailable(`there is no file ${from}; name the store`)
  const source = openStore(from)
  try {
    checkOwner(source, from)
    // An open read transaction keeps one state: otherwise each write of the service restarts the copy.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_schema').get()
    createPrivate(to)
    try {
      await backup(source, to, {
        rate: pagesAtOnce,
        progress: ({ totalPages, remainingPages }) =>
          report({ copied: totalPages - remainingPages, all: totalPages }),
      })
    } catch (error) {
      rmSync(to, { force: true })
      throw asFault(to, error)
    }
  } finally {
    source.close()
  }
}

function openStore(file: string): DatabaseSync {
  try {
    return openReader(file)
  } catch (error) {
    throw asFault(file, error)
  }
}

function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreUnavailable(`${file} cannot be created (${reason}); name a new file`, {
      cause: error,
    })
  }
}
