/**
 * Stores the keys of handled records. A key rarely exceeds two hundred characters. A store in a
 * database keeps keys at least as long as the sender retries: three days.
 */
export interface DuplicateStore {
  seen(key: string): boolean | Promise<boolean>
  remember(key: string): unknown
}

/** Runs work unless work with the same key has succeeded before. */
export type Once = (key: string, work: () => unknown) => Promise<void>

/** Enough for the records of a busy receiver between a failure and its retries. */
const keysMaxDefault = 100_000

/** Stores the last `keysMax` keys in memory, for one process and until it ends. */
export function memoryDuplicates({ keysMax = keysMaxDefault } = {}): DuplicateStore {
  const keys = new Set<string>()

  return {
    seen: (key) => keys.has(key),
    remember: (key) => {
      keys.add(key)
      for (const oldest of keys) {
        if (keys.size <= keysMax) return
        keys.delete(oldest)
      }
    },
  }
}

/**
 * Failed work is not stored, so that the next call repeats it. A call during the work shares its
 * result: a sender may retry after its timeout.
 */
export function onceIn(store: DuplicateStore): Once {
  const running = new Map<string, Promise<void>>()

  async function attempt(key: string, work: () => unknown): Promise<void> {
    if (await store.seen(key)) return
    await work()
    await store.remember(key)
  }

  return (key, work) => {
    const already = running.get(key)
    if (already !== undefined) return already

    const mine = attempt(key, work).finally(() => running.delete(key))
    running.set(key, mine)
    return mine
  }
}
