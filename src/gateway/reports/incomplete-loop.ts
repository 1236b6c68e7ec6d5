import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { giveUpParts } from './incoming-part.ts'
import type { WishOf } from './keyword.ts'
import { loop, type Loop } from '../submission/loop.ts'

/** What the loop of incomplete messages needs. */
export interface IncompleteLoopOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  readonly wishOf: WishOf
}

/** The most messages, and the most parts to forget, in one transaction. */
const batchMax = 100

/** How often it is looked for what is incomplete, in milliseconds: it is told at most this much late. */
export const incompletePollMs = 30_000

/** Makes the loop that gives up waiting for parts: what came is made a message. */
export function incompleteLoop({ store, clock, newId, log, wishOf }: IncompleteLoopOptions): Loop {
  const work = (): Promise<Instant | null> =>
    store.transact(async (transaction) => {
      const at = clock.now()
      const { incomingParts } = transaction
      const keys = await incomingParts.overdue(at, batchMax)
      for (const key of keys) {
        await giveUpParts({ transaction, carrier: key.carrier, newId, wishOf, at }, key)
      }
      const forgotten = await incomingParts.trim(at, batchMax)
      const isMore = keys.length === batchMax || forgotten === batchMax
      return isMore ? at : incomingParts.nextOverdueAt()
    })
  return loop({ name: 'incomplete', clock, log, pollMs: incompletePollMs, work })
}
