import { type AccountReach, defaultAccount, everyAccount } from '../../core/account.ts'
import { type Collection, qualifiedName } from '../../core/collection.ts'
import type { Key, Reader } from '../../core/store.ts'
import { compareText } from './compare.ts'
import { filtered, page } from './query.ts'
import type { InstanceRow, State } from './state.ts'

/** Reads instances of one account, or of all, from the tables that `see` shows. */
export function memoryReader(
  see: () => State['instances'],
  collections: readonly Collection[],
  account: AccountReach,
): Reader {
  const rows = (collection: Collection, parent: string | null): readonly InstanceRow[] => {
    checkKnown(collections, collection)
    return [...see().values()].filter(
      (row) =>
        row.collection === qualifiedName(collection) &&
        (account === everyAccount || row.stored.account === account) &&
        (collection.parent === null || parent === null || row.stored.parent === parent),
    )
  }

  return {
    account,
    find: async (collection, key) => {
      const parent = parentIn(collection, key)
      const found = rows(collection, parent)
        .filter((row) => row.stored.id === key.id && row.stored.parent === parent)
        .toSorted((a, b) => compareAccounts(a.stored.account, b.stored.account))
      return found[0]?.stored ?? null
    },
    list: async (collection, parent, query) =>
      page(collection, rows(collection, parent), query).map((row) => row.stored),
    count: async (collection, parent, filter) =>
      filtered(collection, rows(collection, parent), filter).length,
  }
}

/** The parent that a key names; null in a collection that is not nested. */
export function parentIn(collection: Collection, key: Key): string | null {
  return collection.parent === null ? null : (key.parent ?? null)
}

/** Throws for a collection that the store was not opened with. */
export function checkKnown(collections: readonly Collection[], collection: Collection): void {
  const name = qualifiedName(collection)
  if (!collections.some((known) => qualifiedName(known) === name)) {
    throw new Error(`the store was opened without ${name}`)
  }
}

/** The administrator's own account comes first. */
function compareAccounts(a: string, b: string): number {
  if (a === b) return 0
  if (a === defaultAccount) return -1
  return b === defaultAccount ? 1 : compareText(a, b)
}
