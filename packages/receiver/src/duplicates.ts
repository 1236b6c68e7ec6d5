/**
 * Remembers what has been handled. Keys are texts, rarely over two hundred characters. A store
 * in a database keeps them at least as long as the sender retries: three days.
 */
export interface DuplicateStore {
  seen(key: string): boolean | Promise<boolean>
  remember(key: string): unknown
}

/** Does a piece of work unless the work of the same key has succeeded before. */
export type Once = (key: string, work: () => unknown) => Promise<void>

/** As many records as a busy receiver handles in the minutes between a failure and its retries. */
const keysMaxDefault = 100_000

/** Remembers in memory the `keysMax` keys that came last, for one process and until it ends. */
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
 * Work that fails is not remembered, and is done again by whoever asks next. Whoever asks while it
 * is being done shares its outcome: a sender that gave up waiting may repeat itself at any moment.
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
