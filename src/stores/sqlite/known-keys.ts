import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Commit, KeyRecord } from '../../core/ports/store.ts'

/** Recently found keys, always exact. */
export interface KnownKeys {
  find(secretDigest: string): MaybePromise<KeyRecord | null>
  /** Call it for every commit before the commit is acknowledged. */
  committed(commit: Pick<Commit, 'changed'>): void
}

/** Maximum of remembered keys; beyond it the cache starts empty again. */
const knownMax = 10_000

/**
 * Remembers keys, since each request begins with one. Only this process writes its file, so no key can
 * change before the next commit that touches keys or accounts: that commit clears the cache. Unknown keys
 * are not remembered, since guesses would fill the memory.
 */
export function knownKeys(find: (secretDigest: string) => Promise<KeyRecord | null>): KnownKeys {
  const known = new Map<string, KeyRecord>()
  let changes = 0
  const findAnew = async (secretDigest: string): Promise<KeyRecord | null> => {
    const before = changes
    const found = await find(secretDigest)
    // A commit during the read may have changed the result.
    if (found === null || before !== changes) return found
    if (known.size >= knownMax) known.clear()
    known.set(secretDigest, found)
    return found
  }
  return {
    find: (secretDigest) => known.get(secretDigest) ?? findAnew(secretDigest),
    committed: ({ changed }) => {
      if (!changed.has('keys') && !changed.has('accounts')) return
      changes += 1
      known.clear()
    },
  }
}
