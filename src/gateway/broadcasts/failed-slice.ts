import { accountId } from '../../core/account.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { BroadcastWork } from '../../collections/broadcast-work.ts'
import { jobOf, saveProgress, type JobOptions, type BroadcastProgress } from './job.ts'
import { endWork, findWork, holdWork } from './work.ts'

/** The consecutive failures, over some 25 minutes, after which the broadcast fails. */
export const failuresMax = 10

/** The delay after the first failure, doubled after each further one. Other broadcasts continue. */
const waitMs = 10_000
const waitMsMax = 300_000

/** The record of a failed slice. */
export interface SliceFailure {
  /** The consecutive failures, this one included. */
  readonly failures: number
  /** True if it is not tried again. */
  readonly isGivenUp: boolean
}

/**
 * Releases work whose slice failed by a fault of the service, and delays it. After the last failure
 * the broadcast fails and keeps its cursor, so that its owner can resume it. Returns null if the
 * work was ended by another transaction.
 */
export async function settleFailure(
  transaction: Transaction,
  failed: BroadcastWork,
  options: JobOptions,
): Promise<SliceFailure | null> {
  const work = await findWork(transaction, failed)
  if (work === null) return null
  const failures = (work.failures ?? 0) + 1
  const isGivenUp = failures >= failuresMax
  if (isGivenUp) await giveUp(transaction, work, options)
  else {
    const dueAt = options.clock.now() + Math.min(waitMs * 2 ** (failures - 1), waitMsMax)
    await holdWork(transaction, work, { holder: null, heldUntil: 0, dueAt, failures })
  }
  return { failures, isGivenUp }
}

/** Ends the work. Messages that were not reached stay uncancelled. */
async function giveUp(
  transaction: Transaction,
  work: BroadcastWork,
  options: JobOptions,
): Promise<void> {
  const job = await jobOf(work, transaction, options)
  const why: BroadcastProgress = { stateReason: 'INTERNAL_ERROR' }
  if (job !== null)
    await saveProgress(job, work.task === 'MAKE' ? { ...why, state: 'FAILED' } : why)
  const { account, broadcast } = work
  await endWork(transaction, { account: accountId(account), broadcast })
}

/** A slice that failed by a fault of the service. */
export interface FailedSlice extends SliceFailure {
  readonly work: BroadcastWork
  readonly error: unknown
}

/** The events of broadcasts that an operator needs. */
export interface SliceEvents {
  failed(slice: FailedSlice): void
}

/** Creates the events: it logs and counts them. */
export function sliceEvents(log: Log, metrics: Metrics): SliceEvents {
  const slices = metrics.counter(
    'nuncio_broadcast_slices_failed_total',
    'Broadcast slices that failed by a fault of the service.',
    [{}],
  )
  const broadcasts = metrics.counter(
    'nuncio_broadcasts_failed_total',
    'Broadcasts that became FAILED.',
    [{}],
  )
  return {
    failed: ({ work: { account, broadcast, task }, error, failures, isGivenUp }) => {
      slices.add({})
      log('error', 'broadcast slice failed', { error, account, broadcast, failures })
      if (!isGivenUp) return
      broadcasts.add({})
      log('error', 'broadcast abandoned', { account, broadcast, task, failures })
    },
  }
}
