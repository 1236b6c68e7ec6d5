import type { AccountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { NoteUse } from './credentials.ts'

/** Interval between writes of uses, in milliseconds; also the precision of `lastUsedAt` of keys. */
const sliceMs = 60_000

/** Recorder of uses: collects them in memory and writes them at most a minute later. */
export interface UseRecorder extends AsyncDisposable {
  readonly used: NoteUse
}

/**
 * Records when instances of a collection were used, in their internal field `usedAt`. Disposing writes
 * the uses collected so far.
 */
export function noteUses(
  store: Store,
  collection: Collection,
  clock: Clock,
  log: Log,
): UseRecorder {
  const noted = new Map<AccountId, Map<string, Instant>>()
  let cancel: (() => void) | null = null

  const write = async (): Promise<void> => {
    const uses = [...noted]
    noted.clear()
    cancel = null
    try {
      await store.transact(async (transaction) => {
        for (const [account, times] of uses) {
          const writer = transaction.in(account)
          for (const [id, at] of times) {
            const stored = await writer.find(collection, { id })
            if (stored === null) continue
            const hidden = { ...JSON.parse(stored.hidden ?? '{}'), usedAt: timestamp(at) }
            await writer.save(collection, { id }, JSON.parse(stored.doc), hidden)
          }
        }
      })
    } catch (error) {
      log('warn', 'uses not written', { collection: collection.name, error })
    }
  }

  return {
    used: (account, id, at) => {
      const times = noted.get(account)
      if (times === undefined) noted.set(account, new Map([[id, at]]))
      else times.set(id, at)
      cancel ??= clock.after(sliceMs, () => void write())
    },
    [Symbol.asyncDispose]: async () => {
      cancel?.()
      if (noted.size > 0) await write()
    },
  }
}
