import { accountId } from '../../core/account.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { BroadcastWork } from '../../collections/broadcast-work.ts'
import { jobOf, saveProgress, type JobOptions, type BroadcastProgress } from './job.ts'
import { endWork, findWork, holdWork } from './work.ts'

/** So often in a row a slice is tried, which takes some 25 minutes; then the broadcast fails. */
export const failuresMax = 10

/** How long a broadcast waits whose slice failed: others go on meanwhile. Each time twice as long. */
const waitMs = 10_000
const waitMsMax = 300_000

/** What came of a slice that failed: how often in a row, and whether it is tried again. */
export interface SliceFailure {
  readonly failures: number
  readonly isGivenUp: boolean
}

/**
 * Lets go of work whose slice failed for a fault of the service, and leaves it alone for a while. The
 * last time the broadcast fails, and stays at its place: its owner may let it go on from there. Null
 * where somebody else has ended the work since.
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

/** What was to be cancelled is so still, whatever of it has not been reached. */
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
