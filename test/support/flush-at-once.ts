import type { SqliteOptions } from '../../src/stores/sqlite/sqlite-store.ts'

/**
 * A disk that is as fast as memory: commits take microtasks alone, so that a test on a virtual clock
 * sees all of them. What a real disk does is tried by the tests of the store and of the process.
 */
export const flushAtOnce: SqliteOptions = {
  flush: () => ({ run: () => Promise.resolve(), close: () => {} }),
}
