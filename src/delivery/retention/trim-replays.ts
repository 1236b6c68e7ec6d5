import { replays } from '../../collections/replays.ts'
import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import { where, type Store, type Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { sliceMax, slicePauseMs } from './trim-slices.ts'

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
