import { StoreUnavailable } from '../../../core/ports/store.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { closeSync, fdatasync, openSync } = process.getBuiltinModule('node:fs')

/** Flushes the write-ahead log to the disk in another thread. */
export interface Flush {
  /** Resolves when all commits before the call are on the disk. After one failure it always fails. */
  run(): Promise<void>
  close(): void
}

/**
 * Flushes the write-ahead log of a file whose writer does not wait for the disk. The log is the same
 * file while a connection is open, and SQLite holds no lock on it, so it can be opened again. Data of a
 * failed flush may be lost even if a later one succeeds: no commit is acknowledged until a restart.
 */
export function walFlush(file: string): Flush {
  let handle: number | null = null
  let failure: StoreUnavailable | null = null
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  const flush = (): Promise<void> =>
    new Promise((resolve, reject) => {
      handle ??= openSync(`${file}-wal`, 'r+')
      fdatasync(handle, (error) => (error === null ? resolve() : reject(error)))
    })
  const begin = async (): Promise<void> => {
    if (failure !== null) throw failure
    try {
      await flush()
    } catch (error) {
      failure ??= new StoreUnavailable(
        `${file}: the disk failed (${String(error)}); repair it, then start the service again`,
        { cause: error },
      )
      throw failure
    }
  }
  const start = (): Promise<void> => {
    next = null
    const own = begin().finally(() => {
      if (running === own) running = null
    })
    running = own
    return own
  }

  return {
    // Commits during a flush need another one, which they share.
    run: () => (running === null ? start() : (next ??= running.then(start, start))),
    close: () => {
      if (handle !== null) closeSync(handle)
      handle = null
    },
  }
}
