import { StoreUnavailable } from '../../../core/ports/store.ts'

// Not imported, which would load all that it exports (docs/decisions/0016).
const { closeSync, fdatasync, openSync } = process.getBuiltinModule('node:fs')

/** Brings the write-ahead log to the disk, beside the thread that writes it. */
export interface Flush {
  /** Resolves when all that was committed before the call is on the disk. Once it fails it fails for ever. */
  run(): Promise<void>
  close(): void
}

/**
 * Flushes the write-ahead log of a file whose writer does not wait for the disk itself. The log is
 * the same file for as long as a connection is open, and no lock of SQLite is on it, so it can be
 * opened once more. What fails to reach the disk may be lost although a later attempt succeeds: so
 * there is none, and nothing more is acknowledged until the service is started again.
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
        `${file}: the disk failed (${String(error)}); mend it, then start the service again`,
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
    // What is committed while one is under way needs another: all of it the same.
    run: () => (running === null ? start() : (next ??= running.then(start, start))),
    close: () => {
      if (handle !== null) closeSync(handle)
      handle = null
    },
  }
}
