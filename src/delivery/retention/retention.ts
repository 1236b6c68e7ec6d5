import { deliveries } from '../../collections/deliveries.ts'
import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import type { Store } from '../../core/ports/store.ts'
import { allWebhooks } from '../workers/all-webhooks.ts'
import { markTrimmed } from './mark-trimmed.ts'
import { retentionMs } from '../attempts/schedule.ts'
import { sliceMax, slicePauseMs, trimDeliveries, trimReplays } from './trim.ts'

/** Dependencies of retention. */
export interface RetentionParts {
  readonly store: Store
  readonly clock: Clock
  /** By this name one node at a time does it where several have the store; null: this one has it alone. */
  readonly owner: string | null
  /** It could not be done; it is tried again. */
  readonly onFault: (error: unknown) => void
}

/** Interval of the runs, in milliseconds. */
const everyMs = 3_600_000

/** Lease for the node that runs it, and its duration without renewal. */
const leaseName = 'retention'
const leaseMs = everyMs + 600_000

/**
 * Removes notifications, attempts and replays that have ended when they are over seven days old, in
 * small slices, as long as it runs. A webhook that loses undelivered notifications thereby says so in its state first.
 */
export function startRetention(parts: RetentionParts): AsyncDisposable {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        if (await holds(parts)) await trimAll(parts, stopping.signal)
      } catch (error) {
        parts.onFault(error)
      }
      await wait(parts.clock, everyMs, stopping.signal)
    }
  }
  const running = run()

  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
      await release(parts)
    },
  }
}

/** Returns true if this node holds the lease. The last holder keeps it unless it is gone. */
async function holds({ store, clock, owner }: RetentionParts): Promise<boolean> {
  if (owner === null) return true
  const now = clock.now()
  const leases = await store.transact((transaction) =>
    transaction.leases.take([leaseName], owner, now, now + leaseMs),
  )
  return leases.length > 0
}

async function release({ store, owner, onFault }: RetentionParts): Promise<void> {
  if (owner === null) return
  try {
    await store.transact((transaction) => transaction.leases.release([leaseName], owner))
  } catch (error) {
    onFault(error)
  }
}

async function trimAll(parts: RetentionParts, signal: AbortSignal): Promise<void> {
  const { store, clock } = parts
  const before = clock.now() - retentionMs
  const isExpired = (await store.expire?.(deliveries, before)) ?? false
  // The next run, an hour later, covers webhooks that a concurrent removal hides.
  for await (const page of allWebhooks(store)) {
    if (!(await holds(parts))) return
    for (const webhook of page) {
      if (signal.aborted) return
      await markTrimmed(store, webhook, before, clock.now())
      if (!isExpired) await trimDeliveries(store, clock, webhook, before, signal)
      await trimReplays(store, clock, webhook, before, signal)
    }
  }
  await trimLog(store, clock, before, signal)
}

async function trimLog(
  store: Store,
  clock: Clock,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await store.log.trim(before, sliceMax)) === sliceMax) {
    await wait(clock, slicePauseMs, signal)
  }
}
