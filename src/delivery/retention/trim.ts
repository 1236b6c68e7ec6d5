import { deliveries } from '../../collections/deliveries.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import { type Store, type Stored, where } from '../../core/ports/store.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { replays } from '../../collections/replays.ts'

/** Maximum rows removed in one transaction. */
export const sliceMax = 200

/** The rest of the service comes first: slices leave room between them. */
export const slicePauseMs = 20

/** Removes the attempts at a webhook that were made before `before`, a slice at a time. */
export async function trimDeliveries(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // Their identifiers are in the order of time, so the oldest are the first.
    const oldest = await store.read(webhook.account, (reader) =>
      reader.list(deliveries, webhook.id, where([], sliceMax)),
    )
    const old = oldest.filter((delivery) => dateOf(delivery) < before)
    if (old.length > 0) {
      await store.transact(async (transaction) => {
        const writer = transaction.in(webhook.account)
        for (const { id } of old) await writer.remove(deliveries, { id, parent: webhook.id })
      })
    }
    if (old.length < sliceMax) return
    await wait(clock, slicePauseMs, signal)
  }
}

function dateOf({ doc }: Stored): Instant {
  const { date }: { readonly date?: unknown } = JSON.parse(doc)
  return (typeof date === 'string' ? parseTimestamp(date) : null) ?? 0
}

/** Removes the replays of a webhook that ended before `before`, a slice at a time. */
export async function trimReplays(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  const isOld = { path: ['endedAt'], operator: 'lt', values: [timestamp(before)] } as const
  while (!signal.aborted) {
    const old = await store.read(webhook.account, (reader) =>
      reader.list(replays, webhook.id, where([isOld], sliceMax)),
    )
    if (old.length > 0) {
      await store.transact(async (transaction) => {
        const writer = transaction.in(webhook.account)
        for (const { id } of old) await writer.remove(replays, { id, parent: webhook.id })
      })
    }
    if (old.length < sliceMax) return
    await wait(clock, slicePauseMs, signal)
  }
}
