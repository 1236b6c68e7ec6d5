import { deliveries } from '../../collections/deliveries.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import { type Reader, type Store, type Stored, where } from '../../core/ports/store.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { replays } from '../../collections/replays.ts'

/** Maximum rows removed in one transaction. */
export const sliceMax = 200

/** The rest of the service comes first: slices leave room between them. */
export const slicePauseMs = 20

/** Removes the attempts at a webhook that were made before `before`, a slice at a time. */
export function trimDeliveries(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  return trimSlices(store, clock, webhook, deliveries, signal, async (reader) => {
    // Their identifiers are in the order of time, so the oldest are the first.
    const oldest = await reader.list(deliveries, webhook.id, where([], sliceMax))
    return oldest.filter((delivery) => dateOf(delivery) < before)
  })
}

function dateOf({ doc }: Stored): Instant {
  const { date }: { readonly date?: unknown } = JSON.parse(doc)
  return (typeof date === 'string' ? parseTimestamp(date) : null) ?? 0
}

/** Removes the replays of a webhook that ended before `before`, a slice at a time. */
export function trimReplays(
  store: Store,
  clock: Clock,
  webhook: Stored,
  before: Instant,
  signal: AbortSignal,
): Promise<void> {
  const isOld = { path: ['endedAt'], operator: 'lt', values: [timestamp(before)] } as const
  return trimSlices(store, clock, webhook, replays, signal, (reader) =>
    reader.list(replays, webhook.id, where([isOld], sliceMax)),
  )
}

/** Removes what `findOld` returns, until a slice is not full. */
async function trimSlices(
  store: Store,
  clock: Clock,
  { account, id: parent }: Stored,
  collection: Collection,
  signal: AbortSignal,
  findOld: (reader: Reader) => Promise<readonly Stored[]>,
): Promise<void> {
  while (!signal.aborted) {
    const old = await store.read(account, findOld)
    if (old.length > 0) {
      await store.transact(async (transaction) => {
        const writer = transaction.in(account)
        for (const { id } of old) await writer.remove(collection, { id, parent })
      })
    }
    if (old.length < sliceMax) return
    await wait(clock, slicePauseMs, signal)
  }
}
