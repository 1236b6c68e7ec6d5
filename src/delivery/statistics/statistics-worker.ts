import type { AccountId } from '../../core/account.ts'
import { eachShard } from '../../core/each-shard.ts'
import type { Shard } from '../../core/shard.ts'
import { type Clock, wait } from '../../core/ports/clock.ts'
import type { Store } from '../../core/ports/store.ts'
import { allAccounts } from '../workers/all-accounts.ts'
import { countAccount } from './count-account.ts'

/** Dependencies of the statistics worker. */
export interface StatisticsParts {
  readonly store: Store
  readonly clock: Clock
  /** The name of this node; null if it has the store alone. */
  readonly owner: string | null
  /** An account could not be counted; the next run retries. */
  readonly onFault: (error: unknown) => void
}

/** Interval of the runs: counts are at most five seconds late. */
const everyMs = 2000

/** Time for which a node that disappears keeps others from counting, in milliseconds. */
const leaseMs = 8000

/** Interval of looking at every account: notices of other nodes can get lost. */
const surveyMs = 60_000

/** Counts the messages of the log by status, on one node at a time, for each shard by itself. */
export function startStatistics(parts: StatisticsParts): AsyncDisposable {
  const each = eachShard(parts.store, parts.clock, (store, shard) =>
    startOnShard({ ...parts, store }, shard),
  )
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(each.end().map((worker) => worker[Symbol.asyncDispose]()))
    },
  }
}

function startOnShard(parts: StatisticsParts, shard: Shard): AsyncDisposable {
  const { store, clock, onFault } = parts
  const { signal, abort } = abortable()
  const lease = leaseOn(parts, `statistics ${shard}`)
  let grown = new Set<AccountId>()
  let surveyAt = -Infinity
  const note = (account: AccountId): void => {
    if (store.shardOf(account) === shard) grown.add(account)
  }
  const unsubscribe = store.onCommit(({ notified }) => notified.forEach(note))

  const count = async (account: AccountId): Promise<void> => {
    try {
      await countAccount(store, clock, account, signal)
    } catch (error) {
      grown.add(account)
      onFault(error)
    }
  }
  const work = async (): Promise<void> => {
    if (!(await lease.take())) {
      grown.clear()
      surveyAt = -Infinity
      return
    }
    if (clock.monotonic() >= surveyAt) {
      for await (const account of allAccounts(store)) note(account)
      surveyAt = store.isShared ? clock.monotonic() + surveyMs : Infinity
    }
    const due = grown
    grown = new Set()
    for (const account of due) await count(account)
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await work().catch(onFault)
      await wait(clock, everyMs, signal)
    }
  }
  const running = run()

  return {
    [Symbol.asyncDispose]: async () => {
      unsubscribe()
      abort()
      await running
      await lease.release().catch(onFault)
    },
  }
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

/** The lease of the node that counts. A node that has the store alone needs none. */
function leaseOn({ store, clock, owner }: StatisticsParts, name: string) {
  return {
    take: async (): Promise<boolean> => {
      if (owner === null) return true
      const now = clock.now()
      const held = await store.transact(({ leases }) =>
        leases.take([name], owner, now, now + leaseMs),
      )
      return held.length > 0
    },
    release: async (): Promise<void> => {
      if (owner !== null) await store.transact(({ leases }) => leases.release([name], owner))
    },
  }
}
