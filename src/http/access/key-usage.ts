import type { AccountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { KeyUsed } from './credentials.ts'

/** How often the uses of keys are written down; `lastUsedAt` is that exact. */
const sliceMs = 60_000

/** Notes when keys are used, in memory, and writes it down a minute later at the latest. */
export interface KeyUsage extends AsyncDisposable {
  readonly used: KeyUsed
}

/** Keeps the uses of keys of the collection given. Disposing writes down what is noted. */
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
      log('warn', 'last use of keys not written', { error })
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
