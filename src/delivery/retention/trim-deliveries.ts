import { deliveries } from '../../collections/deliveries.ts'
import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import { where, type Store, type Stored } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { sliceMax, slicePauseMs } from './trim-slices.ts'

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
