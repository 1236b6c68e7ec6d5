import type { Writer, Store } from './ports/store.ts'
import type { Collection } from './declaration/collection.ts'
import { Problem } from './problem.ts'
import type { AccountId } from './account.ts'
import { nextTurn, type Clock } from './ports/clock.ts'
import type { UsageKind } from './ports/counters.ts'

/** The limits of an account; 0 requests per second mean no limit. */
export interface AccountLimits {
  readonly webhooks: number
  readonly keys: number
  /** Event streams that are open at a time, per node. */
  readonly eventStreams: number
  /** Octets of the stored responses to requests with an `Idempotency-Key`. */
  readonly idempotencyBytes: number
  /** Messages that no carrier has taken yet. */
  readonly waitingMessages: number
  readonly requestsPerSecond: number
}

/** The name of a limit, as in the field `limits` of an account. */
export type AccountLimitName = keyof AccountLimits

/** The limits that an account sets itself; null means the configured one. */
export type OwnLimits = { readonly [K in AccountLimitName]?: number | null } | null

/** Returns the limits of an account. */
export function limitsOf(own: OwnLimits | undefined, configured: AccountLimits): AccountLimits {
  if (own === null || own === undefined) return configured
  const given = Object.entries(own).filter(([, value]) => value !== null)
  return { ...configured, ...Object.fromEntries(given) }
}

/** Creates the problem for an account that is at a limit. */
export function limitReached(limit: AccountLimitName, maximum: number): Problem {
  const detail = `The account is at its limit ${limit} of ${maximum}. The operator can raise it.`
  return new Problem('limit-reached', detail)
}

/**
 * Counts the instances of a collection in an account, for a limit: concurrent transactions that count them
 * wait for each other, so that no two take the last place.
 */
export async function countExactly(writer: Writer, collection: Collection): Promise<number> {
  await writer.lock(collection, null)
  return writer.count(collection, null, { conditions: [], searchTerms: [] })
}

/** Use of a resource by accounts that no request can count exactly. */
export interface UsageEstimate {
  /** Adds to the use of an account. Throws `limit-reached` if it was at `maximum` when it was measured. */
  add(account: AccountId, amount: number, maximum: number): void
  /** Returns the amount that the account may add now, less the additions since the measurement. */
  room(account: AccountId, maximum: number): number
}

/** Time between measurements of an account, in milliseconds. */
const measureEveryMs = 1000

/** Accounts that are remembered; beyond that those that were idle for longest are measured again. */
const accountsMax = 10_000

/** Rows of one step of a measurement: other requests are served in between. */
const stepRows = 5000

interface Use {
  measured: number
  /** The use added since the measurement began. */
  since: number
  measuredAt: number
  isMeasuring: boolean
}

/**
 * Estimates use as the last measurement plus later additions. It measures again only if the estimate
 * exceeds the maximum, at most once per second: the use may exceed the maximum by the additions of that
 * time. Of several nodes, each assumes that the `sharers` add as much as itself.
 */
export function usageEstimate(
  kind: UsageKind,
  limit: AccountLimitName,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  sharers: () => number = () => 1,
): UsageEstimate {
  const uses = new Map<AccountId, Use>()

  const useOf = (account: AccountId): Use => {
    const use = uses.get(account) ?? newUse()
    // Reinserted at the end: the first account is the one idle for longest.
    uses.delete(account)
    uses.set(account, use)
    const [oldest] = uses.keys()
    if (uses.size > accountsMax && oldest !== undefined) uses.delete(oldest)
    return use
  }
  const measure = async (account: AccountId, use: Use): Promise<void> => {
    use.isMeasuring = true
    use.measuredAt = clock.monotonic()
    const before = use.since
    try {
      use.measured = await usedBy(store, account, kind)
      use.since -= before
    } catch {
      // A store that fails refuses the request itself; the next request measures again.
    } finally {
      use.isMeasuring = false
    }
  }

  /** Returns the use of an account; measures it if it is unknown, or has no room for the amount. */
  const measuredFor = (account: AccountId, amount: number, maximum: number): Use => {
    const use = useOf(account)
    const isUnknown = use.measuredAt === -Infinity
    const exceeds = use.measured + use.since + amount > maximum
    const isDue = clock.monotonic() - use.measuredAt >= measureEveryMs
    if ((isUnknown || exceeds) && isDue && !use.isMeasuring) void measure(account, use)
    return use
  }

  return {
    room: (account, maximum) => {
      const { measured, since } = measuredFor(account, 1, maximum)
      return Math.max(0, maximum - measured - since)
    },
    add: (account, amount, maximum) => {
      const use = measuredFor(account, amount, maximum)
      if (use.measured + amount > maximum) throw limitReached(limit, maximum)
      use.since += amount * sharers()
    },
  }
}

function newUse(): Use {
  return { measured: 0, since: 0, measuredAt: -Infinity, isMeasuring: false }
}

async function usedBy(store: Store, account: AccountId, kind: UsageKind): Promise<number> {
  let used = 0
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    const step = await store.read(account, (reader) => reader.usage(account, kind, from, stepRows))
    used += step.used
    after = step.next
    if (after !== null) await nextTurn()
  }
  return used
}
