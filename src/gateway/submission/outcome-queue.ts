import { onShard } from '../../core/each-shard.ts'
import type { Shard } from '../../core/shard.ts'
import { nextTurn, wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { Log } from '../../core/ports/log.ts'
import { StoreUnavailable, type Store } from '../../core/ports/store.ts'
import { refunds } from '../credits/credits.ts'
import type { RoutedPart } from '../../core/ports/receipts.ts'
import type { AwaitedOutcome, JoinedReceipts } from '../reports/joined-receipts.ts'
import { writeOutcome, type SubmitResult } from './outcome.ts'
import { receiptsEnd } from './submit-decision.ts'

/** The dependencies of the outcome queue. */
export interface OutcomeQueueOptions {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  /** Receipts that are stored with the outcome of their submit. */
  readonly joined: Pick<JoinedReceipts, 'await'>
  /** Called after the commit with the first time at which a receipt that is now expected is overdue. */
  readonly onExpected: (until: Instant) => void
  /** Aborted when the queue waits no longer for a store that cannot be written. */
  readonly signal: AbortSignal
}

/** Outcomes of submits on their way into the store, many in one transaction. */
export interface OutcomeQueue {
  /** Resolves when the outcome is stored, or given up: then the claim expires and the submit is uncertain. */
  add(result: SubmitResult): Promise<void>
}

/** The most outcomes in one transaction: enough to share its cost, few enough to keep it short. */
const batchMax = 500

/**
 * The turns of the event loop for which outcomes wait for others, and for receipts that come right after them: under
 * load the message is then written once instead of twice (docs/decisions/0073). Idle turns take no time.
 */
const gatherTurns = 4

/** The delay before the next attempt to write to a store that is unavailable. */
const restMs = 500

interface Entry {
  readonly result: SubmitResult
  readonly awaited: AwaitedOutcome
  readonly onEnd: () => void
}

/** Creates a queue of outcomes for each shard. The caller bounds their length. */
export function outcomeQueue(options: OutcomeQueueOptions): OutcomeQueue {
  const { store } = options
  const queues = new Map<Shard, OutcomeQueue>()
  return {
    add: (result) => {
      const shard = store.shardOf(result.pending.account)
      const known = queues.get(shard)
      if (known !== undefined) return known.add(result)
      const made = queueOfShard({ ...options, store: onShard(store, shard) })
      queues.set(shard, made)
      return made.add(result)
    },
  }
}

function queueOfShard(options: OutcomeQueueOptions): OutcomeQueue {
  const { clock, log, signal, joined } = options
  const waiting: Entry[] = []
  let isWriting = false
  const take = (): readonly Entry[] => {
    const taken = waiting.splice(0, batchMax)
    for (const { awaited } of taken) awaited.begin()
    return taken
  }

  const drain = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      for (let turn = 0; turn < gatherTurns; turn += 1) await nextTurn()
      let batch: readonly Entry[] = []
      // Chosen when the transaction begins: it includes all outcomes that arrived until then.
      await write(() => (batch = batch.length > 0 ? batch : take()))
      for (const { onEnd } of batch) onEnd()
    }
    isWriting = false
  }

  /** Writes the chosen outcomes. Never throws: an outcome that cannot be written does not block others. */
  const write = async (choose: () => readonly Entry[]): Promise<void> => {
    try {
      await commit(options, choose)
    } catch (error) {
      const batch = choose()
      for (const { awaited } of batch) awaited.end(false)
      log('error', 'outcomes not written', { error, count: batch.length })
      if (error instanceof StoreUnavailable) {
        await wait(clock, restMs, signal)
        if (!signal.aborted) await write(choose)
      } else if (batch.length > 1) {
        for (const entry of batch) await write(() => [entry])
      }
    }
  }

  return {
    add: (result) =>
      new Promise((resolve) => {
        const { carrier } = result
        const awaited = joined.await(carrier, carrierMessageIdsOf(result))
        waiting.push({ result, awaited, onEnd: resolve })
        if (!isWriting) void drain()
      }),
  }
}

/** Writes the chosen outcomes in one transaction. */
async function commit(
  { store, clock, newId, onExpected }: OutcomeQueueOptions,
  choose: () => readonly Entry[],
): Promise<void> {
  const at = clock.now()
  if (store.routes !== undefined)
    await store.routes.remember(choose().flatMap((each) => partsOf(each, at)))
  const until = await store.transact(async (transaction) => {
    const back = refunds(transaction, newId)
    // Different messages run concurrently, so that a remote store gets their queries together.
    const ends = await Promise.all(
      [...Map.groupBy(choose(), messageOf).values()].map(async (own) => {
        let first = Infinity
        for (const { result, awaited } of own) {
          const writing = { at, returns: back, receipts: awaited.receipts }
          const expiresAt = await writeOutcome(transaction, result, writing)
          first = Math.min(first, expiresAt ?? Infinity)
        }
        return first
      }),
    )
    await back.settle(at)
    return Math.min(...ends)
  })
  for (const { awaited } of choose()) awaited.end(true)
  if (until !== Infinity) onExpected(until)
}

/** Returns the parts that a carrier has taken. */
function partsOf({ result }: Entry, at: Instant): readonly RoutedPart[] {
  const { pending, carrier } = result
  const { account, kept } = pending
  const expiresAt = receiptsEnd(kept.message, at)
  return carrierMessageIdsOf(result).map((carrierMessageId) => ({
    account,
    carrier,
    carrierMessageId,
    expiresAt,
  }))
}

function carrierMessageIdsOf({ outcome }: SubmitResult): readonly string[] {
  return outcome.kind === 'SUBMITTED' ? outcome.carrierMessageIds : []
}

/** Two accounts may use one identifier: their messages are then written in sequence, which is harmless. */
function messageOf({ result }: Entry): string {
  return result.pending.kept.message.id
}
