import { defaultAccount } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Log } from '../../src/core/ports/log.ts'
import type { MaybePromise } from '../../src/core/maybe-promise.ts'
import { wholeStore } from '../../src/core/shard.ts'
import { type KeyRecord, type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import { type Effects, listeners, noEffects } from '../../src/stores/commit.ts'
import { memoryLog, trimLog } from './notification-log.ts'
import { memoryReader } from './reader.ts'
import { trimReceipts } from './receipts.ts'
import { type Draft, draftOf, emptyState, keyOf, type State } from './state.ts'
import { MemoryTransaction } from './transaction.ts'

/**
 * A store in memory, for tests: plain rather than fast, so that it shows what the others must
 * answer. Transactions run one at a time on a copy that takes the place of the state when they end.
 */
export function memoryStore(collections: readonly Collection[], log: Log = () => {}): Store {
  const told = listeners((error) => log('error', 'commit listener failed', { error }))
  const keys = foundKeys()
  let state = emptyState()
  let closed = false
  let last: Promise<unknown> = Promise.resolve()

  const transact = <T>(work: (draft: Draft, effects: Effects) => MaybePromise<T>): Promise<T> => {
    if (closed) return Promise.reject(new StoreUnavailable('the store is closed'))
    const done = last.then(async () => {
      const draft = draftOf(state)
      const effects = noEffects()
      const result = await whileRunning(draft, (running) => work(running, effects))
      state = draft.result()
      told.tell(effects)
      return result
    })
    last = done.catch(() => {})
    return done
  }

  return {
    name: 'memory',
    isShared: false,
    read: async (account, work) => {
      if (closed) throw new StoreUnavailable('the store is closed')
      const seen = state
      return work(memoryReader((table) => seen[table], collections, account))
    },
    page: async (account, collection, parent, query) => {
      const reader = memoryReader((table) => state[table], collections, account)
      return { instances: await reader.list(collection, parent, query), examinedTo: null }
    },
    count: (account, collection, parent, filter) =>
      memoryReader((table) => state[table], collections, account).count(collection, parent, filter),
    transact: (work) =>
      transact((draft, effects) => work(new MemoryTransaction(draft, effects, collections))),
    findKey: async (digest) => keys.find(state, digest),
    log: memoryLog(() => {
      if (closed) throw new StoreUnavailable('the store is closed')
      return state
    }),
    maintain: (before, limit, logBefore = before) =>
      transact(async (draft) => {
        const removed = [trimLog(draft, logBefore, limit), ...trimReceipts(draft, before, limit)]
        return { isMore: removed.includes(limit), arePassed: false, failure: null }
      }),
    shards: () => [wholeStore],
    shardOf: () => wholeStore,
    onCommit: told.add,
    async [Symbol.asyncDispose]() {
      closed = true
      await last
    },
  }
}

/** Lends the draft to a work. When that is over, what it forgot to await fails. */
async function whileRunning<T>(draft: Draft, work: (draft: Draft) => MaybePromise<T>): Promise<T> {
  try {
    return await work(draft)
  } finally {
    draft.end()
  }
}

/** Finds keys. One that was found before is the same record, unless it or its account is another by now. */
function foundKeys() {
  const found = new Map<string, KeyRecord>()
  return {
    find: ({ instances }: State, digest: string): KeyRecord | null => {
      const keys = [...(instances.get('keys')?.values() ?? [])]
      const row = keys.find(({ hidden }) => hidden?.['digest'] === digest)
      if (row === undefined) return null
      const key = row.stored
      const owner = instances.get('accounts')?.get(keyOf(defaultAccount, null, key.account))
      const account = owner?.stored ?? null
      const before = found.get(digest)
      if (before?.key === key && before.account === account) return before
      const record = { key, account }
      found.set(digest, record)
      return record
    },
  }
}
