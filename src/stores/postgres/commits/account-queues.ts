import type { AccountId } from '../../../core/account.ts'

/** Runs work of one account after another. */
export interface AccountQueues {
  /** Runs work as soon as no earlier work of any of the accounts runs. */
  run<T>(accounts: Iterable<AccountId>, work: () => Promise<T>): Promise<T>
}

/**
 * Makes the queues for the commits of a node: at most one commit per account is in flight, so that others wait
 * here and not for a lock of the database. Work enters the queues of all its accounts at the same time, so
 * no two wait for each other.
 */
export function accountQueues(): AccountQueues {
  const last = new Map<AccountId, Promise<void>>()
  return {
    run: async (accounts, work) => {
      const all = [...accounts]
      const before = all.flatMap((account) => last.get(account) ?? [])
      const { promise: done, resolve } = Promise.withResolvers<void>()
      for (const account of all) last.set(account, done)
      try {
        if (before.length > 0) await Promise.all(before)
        return await work()
      } finally {
        resolve()
        for (const account of all) if (last.get(account) === done) last.delete(account)
      }
    },
  }
}
