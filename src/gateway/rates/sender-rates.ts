import type { Clock } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { findNumber } from '../../collections/numbers.ts'
import { tokenBucket, type TokenBucket } from './token-bucket.ts'

/** The rates of senders that have one. */
export interface SenderRates {
  /** Reads the rates of senders that are not cached. */
  refresh(transaction: Transaction, senders: Iterable<string>): Promise<void>
  /** Returns null if only the carrier limits the sender. */
  bucketOf(sender: string): TokenBucket | null
}

/** The time for which a rate is cached. */
const freshMs = 5000

/** The most senders in the cache. */
const rememberedMax = 10_000

interface Known {
  readonly perSecond: number | null
  readonly bucket: TokenBucket | null
  readonly readAt: number
}

/** Creates the rates, which the senders' numbers define. */
export function senderRates(clock: Clock): SenderRates {
  const all = new Map<string, Known>()

  return {
    async refresh(transaction, senders) {
      const now = clock.monotonic()
      for (const sender of senders) {
        const known = all.get(sender)
        if (known !== undefined && now - known.readAt < freshMs) continue
        const number = await findNumber(transaction.everywhere, sender)
        const perSecond = number?.partsPerSecond ?? null
        const isSame = known?.perSecond === perSecond
        const bucket = perSecond === null ? null : tokenBucket(perSecond, clock)
        all.delete(sender)
        all.set(sender, { perSecond, bucket: isSame ? known.bucket : bucket, readAt: now })
        const [oldest] = all.keys()
        if (all.size > rememberedMax && oldest !== undefined) all.delete(oldest)
      }
    },
    bucketOf: (sender) => all.get(sender)?.bucket ?? null,
  }
}
