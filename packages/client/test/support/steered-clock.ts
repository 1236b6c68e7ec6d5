import type { Clock } from '../../../../src/core/ports/clock.ts'

/** A stopped clock. A test names the wait that it lets pass, and so states how long it is. */
export interface SteeredClock extends Clock {
  /** Lets a wait of exactly this length pass, as soon as somebody begins one. */
  pass(delayMs: number): Promise<void>
  /** Resolves once somebody waits exactly this long. */
  begun(delayMs: number): Promise<void>
  /** Moves time on without ending any wait. */
  move(ms: number): void
  /** The lengths of the waits that have not ended. */
  pending(): readonly number[]
}

/** Makes a clock that starts on 2026-01-01. */
export function steeredClock(): SteeredClock {
  let elapsed = 0
  const waits = new Set<{ delayMs: number; wake: () => void }>()
  const watchers = new Set<{ delayMs: number; resolve: () => void }>()

  const find = (delayMs: number) => [...waits].find((wait) => wait.delayMs === delayMs)

  const begun = (delayMs: number): Promise<void> =>
    find(delayMs) === undefined
      ? new Promise((resolve) => watchers.add({ delayMs, resolve }))
      : Promise.resolve()

  return {
    now: () => Date.UTC(2026, 0, 1) + elapsed,
    monotonic: () => elapsed,
    after: (delayMs, wake) => {
      const wait = { delayMs, wake }
      waits.add(wait)
      for (const watcher of watchers) {
        if (watcher.delayMs !== delayMs) continue
        watchers.delete(watcher)
        watcher.resolve()
      }
      return () => waits.delete(wait)
    },
    begun,
    pass: async (delayMs) => {
      await begun(delayMs)
      const wait = find(delayMs)
      if (wait === undefined) throw new Error(`there is no wait of ${delayMs} ms`)
      waits.delete(wait)
      elapsed += delayMs
      wait.wake()
    },
    move: (ms) => {
      elapsed += ms
    },
    pending: () => [...waits].map((wait) => wait.delayMs),
  }
}
