import { everyAccount } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import { type Clock, wait } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { where, type Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

/** Interval of the runs, in milliseconds. */
const everyMs = 3_600_000
/** Rows removed in one transaction, and the pause after it, in milliseconds: other writes come first. */
const sliceMax = 200
const slicePauseMs = 20

/** Removes instances some time after the time in one of their fields, in small slices, as long as it runs. */
export function startRetention(
  collection: Collection,
  field: string,
  keptMs: number,
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log },
): AsyncDisposable {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const before = timestamp(clock.now() - keptMs)
        while (
          !stopping.signal.aborted &&
          (await removeSlice(store, collection, field, before)) === sliceMax
        ) {
          await wait(clock, slicePauseMs, stopping.signal)
        }
      } catch (error) {
        log('warn', 'old instances not removed', { collection: collection.name, error })
      }
      await wait(clock, everyMs, stopping.signal)
    }
  }
  const running = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}

async function removeSlice(
  store: Store,
  collection: Collection,
  field: string,
  before: string,
): Promise<number> {
  const conditions = [{ path: [field], operator: 'lt', values: [before] }] as const
  const old = await store.read(everyAccount, (reader) =>
    reader.list(collection, null, where(conditions, sliceMax)),
  )
  if (old.length === 0) return 0
  await store.transact(async (transaction) => {
    for (const { account, id } of old) await transaction.in(account).remove(collection, { id })
  })
  return old.length
}
