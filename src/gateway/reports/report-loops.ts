import { eachShard } from '../../core/each-shard.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import type { OverduePart } from '../../core/ports/receipts.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { loop, type Loop } from '../loop.ts'
import { overdueIncoming, storeIncomplete } from './incoming.ts'
import type { KeywordReader } from './keyword.ts'
import { applyReceipt, applyToPart } from './receipt.ts'

/** The dependencies of the report loops. */
export interface ReportLoopOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  readonly wishOf: KeywordReader
}

/** The loops that end the wait for carriers' reports. */
export interface ReportLoops {
  /** Schedules a check for overdue receipts. */
  wake(at: Instant): void
  start(): void
  /** Resolves when the present runs have ended. */
  stop(): Promise<void>
}

/** The most overdue receipts in one transaction. */
const overdueMax = 200

/** The most incomplete messages in one transaction. */
const incompleteMax = 100

/** The interval of runs without a wake-up. An incomplete message is stored at most this much late. */
const pollMs = 30_000

/** Creates the loops. They run once they are started. */
export function reportLoops(options: ReportLoopOptions): ReportLoops {
  const { clock } = options
  let isStarted = false
  const ofShards = eachShard(options.store, clock, (store) => {
    const overdue = overdueLoop({ ...options, store })
    if (isStarted) overdue.wake(clock.now())
    return overdue
  })
  const incomplete = incompleteLoop(options)
  return {
    wake: (at) => {
      for (const overdue of ofShards.all()) overdue.wake(at)
    },
    start() {
      isStarted = true
      for (const overdue of ofShards.all()) overdue.wake(clock.now())
      incomplete.wake(clock.now() + pollMs)
    },
    async stop() {
      await Promise.all([...ofShards.end(), incomplete].map((each) => each.stop()))
    },
  }
}

/** Creates the loop that ends the wait for receipts: their parts become UNKNOWN. */
function overdueLoop({ store, clock, log }: ReportLoopOptions): Loop {
  const work = (): Promise<Instant | null> =>
    store.transact(async (transaction) => {
      const now = clock.now()
      const { parts, nextAt } = await transaction.receipts.overdue(now, overdueMax)
      for (const part of parts) await giveUpReceipt(transaction, part, now)
      return nextAt
    })
  return loop({ name: 'overdue', clock, log, pollMs, work })
}

/** Applies an unmatched receipt that came early, if there is one; else records UNKNOWN. */
async function giveUpReceipt(
  transaction: Transaction,
  part: OverduePart,
  at: Instant,
): Promise<void> {
  const { account, carrier, carrierMessageId, early } = part
  for (const receipt of early) await applyReceipt(transaction, receipt, at, account)
  const outcome = { type: 'UNKNOWN', detail: null } as const
  const receipt = { carrier, carrierMessageId, outcome, code: null, receivedAt: at }
  if (early.length > 0) await applyReceipt(transaction, receipt, at, account)
  else await applyToPart(transaction, part, receipt, at)
}

/** Creates the loop that ends the wait for parts: it stores a message of those that arrived. */
function incompleteLoop({ store, clock, newId, log, wishOf }: ReportLoopOptions): Loop {
  const work = (): Promise<Instant | null> =>
    store.transact(async (transaction) => {
      const at = clock.now()
      const { overdue, nextAt } = await overdueIncoming(transaction.everywhere, at, incompleteMax)
      for (const each of overdue) await storeIncomplete({ transaction, newId, wishOf, at }, each)
      return nextAt
    })
  return loop({ name: 'incomplete', clock, log, pollMs, work })
}
