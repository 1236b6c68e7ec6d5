import type { AccountReach } from '../../core/account.ts'
import type { Collection } from '../../core/collection.ts'
import type { Key, Stored } from '../../core/store.ts'

/** What was found by identifier since the last commit. */
export interface RepeatedReads {
  get(reach: AccountReach, collection: Collection, key: Key): Stored | undefined
  keep(reach: AccountReach, collection: Collection, key: Key, found: Stored): void
  /** Must be called just before each commit. */
  beforeCommit(): void
}

/** So many are remembered. */
const slotCount = 1024

/** What has more characters is not remembered: all together take 4 MB at most, 8 where they are not Latin. */
const charactersMax = 4096

/** What was found, of which question, and after which commit. */
interface Slot {
  readonly reach: AccountReach
  readonly collection: Collection
  readonly id: string
  readonly parent: string | null | undefined
  readonly commits: number
  readonly found: Stored
}

/**
 * Remembers what was found: clients ask after the same message until it is delivered. Between two
 * commits a question has one answer, and this process alone writes its file, so that is exact. A
 * commit, of whatever, makes all of it void. As with `recentRows` each has one slot by its identifier.
 */
export function repeatedReads(): RepeatedReads {
  const slots: (Slot | undefined)[] = Array.from({ length: slotCount })
  let commits = 0
  return {
    get: (reach, collection, { id, parent }) => {
      const slot = slots[slotOf(id)]
      const isKnown =
        slot !== undefined &&
        slot.commits === commits &&
        slot.id === id &&
        slot.collection === collection &&
        slot.reach === reach &&
        slot.parent === parent
      return isKnown ? slot.found : undefined
    },
    keep: (reach, collection, { id, parent }, found) => {
      if (found.doc.length + (found.hidden?.length ?? 0) > charactersMax) return
      slots[slotOf(id)] = { reach, collection, id, parent, commits, found }
    },
    beforeCommit: () => {
      commits += 1
    },
  }
}

/** Identifiers differ in their last characters. */
function slotOf(id: string): number {
  let hash = 0
  for (let index = Math.max(0, id.length - 8); index < id.length; index += 1) {
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0
  }
  return (hash ^ (hash >>> 10)) & (slotCount - 1)
}
