import { idempotentResponses } from '../../src/core/declaration/idempotent-responses.ts'
import {
  type AccountId,
  type AccountReach,
  defaultAccount,
  everyAccount,
} from '../../src/core/account.ts'
import { type Collection, qualifiedName } from '../../src/core/declaration/collection.ts'
import type { Consumer } from '../../src/core/ports/consumers.ts'
import type { RowFilter, InstanceKey, Reader } from '../../src/core/ports/store.ts'
import { rememberedMs, type Counters, type UsageKind } from '../../src/core/ports/counters.ts'
import { compareText } from './compare.ts'
import { consumerOf } from './consumers.ts'
import { fieldValue, filtered, page } from './query.ts'
import { keyOf, type InstanceRow, type State } from './state.ts'

/** Shows a table that readers look into. */
export type SeeTable = <
  K extends 'instances' | 'consumers' | 'tallies' | 'senders' | 'submissions',
>(
  table: K,
) => State[K]

/** Reads instances of one account, or of all, from the tables that `see` shows. */
export function memoryReader(
  see: SeeTable,
  collections: readonly Collection[],
  account: AccountReach,
): Reader {
  const rows = (collection: Collection, parent: string | null): readonly InstanceRow[] => {
    checkKnown(collections, collection)
    return [...(see('instances').get(qualifiedName(collection))?.values() ?? [])].filter(
      (row) =>
        (account === everyAccount || row.stored.account === account) &&
        (collection.parent === null || parent === null || row.stored.parent === parent),
    )
  }

  const memberRows = (collection: Collection, parent: string | null, { members }: RowFilter) => {
    const all = rows(collection, parent)
    if (members === undefined) return all
    const entries = rows(members.entries, members.parent)
    return all.filter(({ stored }) =>
      entries.some(
        (entry) => entry.stored.id === stored.id && entry.stored.account === stored.account,
      ),
    )
  }

  return {
    account,
    find: async (collection, key) => {
      if ('field' in key) {
        const path = key.field.split('.')
        const all = rows(collection, null)
        return all.find((row) => fieldValue(collection, row, path) === key.value)?.stored ?? null
      }
      const parent = parentIn(collection, key)
      if (account === everyAccount) return firstOf(rows(collection, parent), parent, key.id)
      checkKnown(collections, collection)
      const own = see('instances').get(qualifiedName(collection))
      return own?.get(keyOf(account, parent, key.id))?.stored ?? null
    },
    list: async (collection, parent, query) =>
      page(collection, memberRows(collection, parent, query), query).map((row) => row.stored),
    count: async (collection, parent, filter) =>
      filtered(collection, memberRows(collection, parent, filter), filter).length,
    findConsumer: async (owner, webhookId) => consumerIn(see, owner, webhookId),
    findCounters: async (owner, subjects) => talliesOf(see, owner, subjects),
    usage: async (owner, kind) => ({ used: usedBy(see, owner, kind), next: null }),
    sendersFrom: async (address, at, limit) =>
      [...see('senders').values()]
        .filter((row) => row.address === address && row.sentAt >= at - rememberedMs)
        .map((row) => row.account)
        .toSorted(compareText)
        .slice(0, limit),
  }
}

/** Of several accounts that use an identifier the first. */
function firstOf(
  rows: readonly InstanceRow[],
  parent: string | null,
  id: string,
): InstanceRow['stored'] | null {
  const [first] = rows
    .filter(({ stored }) => stored.id === id && stored.parent === parent)
    .toSorted((a, b) => compareAccounts(a.stored.account, b.stored.account))
  return first?.stored ?? null
}

function consumerIn(see: SeeTable, owner: AccountId, webhookId: string): Consumer | null {
  const row = see('consumers').get(keyOf(owner, webhookId))
  return row === undefined ? null : consumerOf(row)
}

function talliesOf(
  see: SeeTable,
  owner: AccountId,
  subjects: readonly string[],
): ReadonlyMap<string, Counters> {
  const found = subjects.flatMap((subject): [string, Counters][] => {
    const row = see('tallies').get(keyOf(owner, subject))
    return row === undefined ? [] : [[subject, row.counts]]
  })
  return new Map(found)
}

function usedBy(see: SeeTable, owner: AccountId, kind: UsageKind): number {
  if (kind === 'submissions') {
    return [...see('submissions').values()].filter(({ account }) => account === owner).length
  }
  return [...(see('instances').get(idempotentResponses.name)?.values() ?? [])]
    .filter(({ stored }) => stored.account === owner)
    .reduce((sum, { stored }) => sum + Buffer.byteLength(stored.doc), 0)
}

/** The parent that a key names; null in a collection that is not nested. */
export function parentIn(collection: Collection, key: InstanceKey): string | null {
  return collection.parent === null ? null : (key.parent ?? null)
}

/** Throws for a collection that the store was not opened with. */
export function checkKnown(collections: readonly Collection[], collection: Collection): void {
  const name = qualifiedName(collection)
  if (
    !collections.includes(collection) &&
    !collections.some((known) => qualifiedName(known) === name)
  ) {
    throw new Error(`the store was opened without ${name}`)
  }
}

/** The administrator's own account comes first. */
function compareAccounts(a: string, b: string): number {
  if (a === b) return 0
  if (a === defaultAccount) return -1
  return b === defaultAccount ? 1 : compareText(a, b)
}
