import type { Store } from '../../../src/core/ports/store.ts'

/** A store as a process has it that dies. */
export interface MortalStore {
  readonly store: Store
  /** Whether the process has died. */
  dead(): boolean
}

/**
 * Gives a process that dies with its `nth` transaction (from 1): before it is committed, or between
 * the commit and the answer. A dead process does nothing more, and hears nothing.
 */
export function mortalStore(store: Store, nth: number, when: 'before' | 'after'): MortalStore {
  const never = new Promise<never>(() => {})
  let transactions = 0

  return {
    dead: () => transactions >= nth,
    store: {
      ...store,
      read: (account, work) => (transactions >= nth ? never : store.read(account, work)),
      transact: async (work) => {
        transactions += 1
        if (transactions > nth || (transactions === nth && when === 'before')) return never
        const result = await store.transact(work)
        return transactions >= nth ? never : result
      },
      onCommit: (listener) =>
        store.onCommit((commit) => {
          if (transactions < nth) listener(commit)
        }),
      async [Symbol.asyncDispose]() {},
    },
  }
}
