import type { AccountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { KeyUsed } from './credentials.ts'

/** Interval between writes of key uses, in milliseconds; also the precision of `lastUsedAt`. */
const sliceMs = 60_000

/** Recorder of key uses: collects them in memory and writes them at most a minute later. */
export interface KeyUsage extends AsyncDisposable {
  readonly used: KeyUsed
}

/** Records the uses of keys of a collection. Disposing writes the uses collected so far. */
export function keyUsage(store: Store, keys: Collection, clock: Clock, log: Log): KeyUsage {
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
            const key = await writer.find(keys, { id })
            if (key === null) continue
            const hidden = { ...JSON.parse(key.hidden ?? '{}'), usedAt: timestamp(at) }
            await writer.save(keys, { id }, JSON.parse(key.doc), hidden)
          }
        }
      })
    } catch (error) {
      log('warn', 'key uses not written', { error })
    }
  }

  return {
    used: ({ account, keyId }, at) => {
      const times = noted.get(account)
      if (times === undefined) noted.set(account, new Map([[keyId, at]]))
      else times.set(keyId, at)
      cancel ??= clock.after(sliceMs, () => void write())
    },
    [Symbol.asyncDispose]: async () => {
      cancel?.()
      if (noted.size > 0) await write()
    },
  }
}
