import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Commit, KeyRecord } from '../../core/ports/store.ts'

/** The keys that were found lately, exact at every moment. */
export interface KnownKeys {
  find(secretDigest: string): MaybePromise<KeyRecord | null>
  /** Must be told of every commit before it is acknowledged. */
  committed(commit: Pick<Commit, 'changed'>): void
}

/** So many keys are remembered; beyond that all are looked up anew. */
const knownMax = 10_000

/**
 * Remembers keys, since each request begins with one. This process alone writes its file, so the
 * first commit that touches keys or accounts is the first that can make one untrue: then all are
 * forgotten. What is not found is not remembered, or whoever guesses would fill the memory.
 */
export function knownKeys(find: (secretDigest: string) => Promise<KeyRecord | null>): KnownKeys {
  const known = new Map<string, KeyRecord>()
  let changes = 0
  const findAnew = async (secretDigest: string): Promise<KeyRecord | null> => {
    const before = changes
    const found = await find(secretDigest)
    // A commit that fell in between may have changed what was read before it.
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
