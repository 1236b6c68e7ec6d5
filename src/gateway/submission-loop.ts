import type { Instant } from '../core/clock.ts'
import type { Store } from '../core/store.ts'
import { takeDue, type HandOver } from './due.ts'
import { handingOver, type HandingOverOptions } from './hand-over.ts'
import { inFlight } from './in-flight.ts'
import { loop, type Loop } from './loop.ts'
import { outcomeQueue } from './outcome-queue.ts'

/** What the submission loop needs. */
export interface SubmissionLoopOptions extends HandingOverOptions {
  readonly store: Store
  /** Whether a message that may be at its carrier already is sent again. */
  readonly resubmit: boolean
  /** Called with the first time at which a receipt that is now expected is overdue. */
  readonly onExpected: (until: Instant) => void
}

/** The most messages claimed at once. */
const batchMax = 200

/** The most messages with the carriers at once: that many a crash can leave uncertain. */
const inFlightMax = 1000

/** How long a claim holds. */
const leaseMs = 60_000

/** How long a carrier has for a message: less than the claim holds, or another node could take it too. */
const handOverMs = 45_000

/** How long the carriers still have when the loop is stopped. */
const graceMs = 20_000

/** The net beneath the wake-ups. */
const pollMs = 5000

/** Makes the loop that hands messages to their carriers when they are due. */
export function submissionLoop(options: SubmissionLoopOptions): Loop {
  const { store, clock, log, resubmit, onExpected } = options
  const giveUp = new AbortController()
  const outcomes = outcomeQueue({ store, clock, log, onExpected, signal: giveUp.signal })
  const handOver = handingOver(options)
  const flight = inFlight({ clock, max: inFlightMax, deadlineMs: handOverMs, onRoom })
  const claims = loop({ name: 'submission', clock, log, pollMs, work })
  let full = false

  function onRoom(): void {
    if (full) claims.wake(clock.now())
  }

  async function work(): Promise<Instant | null> {
    const limit = Math.min(batchMax, flight.room())
    full = limit === 0
    if (full) return null
    const now = clock.now()
    const { ready, claimed, nextDueAt } = await store.transact(async (transaction) => ({
      ...(await takeDue(transaction, { now, until: now + leaseMs, limit, resubmit })),
      nextDueAt: await transaction.submissions.nextDueAt(),
    }))
    // At once: what is deleted from now on may still be sent.
    if (ready.length > 0) flight.begin(ready, bring)
    return claimed === limit ? now : nextDueAt
  }

  async function bring(ready: HandOver, signal: AbortSignal): Promise<void> {
    const handedOver = await handOver(ready, signal)
    if (handedOver === null) return
    await outcomes.add(handedOver)
    if (handedOver.outcome.kind === 'POSTPONED') claims.wake(handedOver.outcome.dueAt)
  }

  return {
    wake: claims.wake,
    async stop() {
      await claims.stop()
      const cancel = clock.after(graceMs, () => giveUp.abort())
      await flight.end(graceMs)
      cancel()
    },
  }
}
