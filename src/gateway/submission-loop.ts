import type { Instant } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Members } from '../core/nodes.ts'
import type { Store } from '../core/store.ts'
import { carrierFlights } from './carrier-flights.ts'
import { claimDue, type Claimed } from './claim-due.ts'
import { dueTime } from './due-time.ts'
import { handingOver, type HandingOverOptions } from './hand-over.ts'
import type { HandOver } from './due.ts'
import { loop, type Loop } from './loop.ts'
import { type OutcomeQueue, outcomeQueue } from './outcome-queue.ts'
import type { Routing } from './routing.ts'
import { senderRates } from './sender-rates.ts'
import { steadyClock } from './steady-clock.ts'

/** What the submission loop needs. */
export interface SubmissionLoopOptions extends HandingOverOptions {
  readonly store: Store
  readonly newId: NewId
  readonly routing: Routing
  /** The nodes over the store: what one has claimed others take over when it has gone. */
  readonly members: Members
  /** Whether a message that may be at its carrier already is sent again. */
  readonly resubmit: boolean
  /** Called with the first time at which a receipt that is now expected is overdue. */
  readonly onExpected: (until: Instant) => void
  /** How long what became of a message waits for others. */
  readonly gatherMs: number
}

/** The loop, and the way into what it writes. */
export interface SubmissionLoop extends Loop {
  /** Has a receipt written with the outcome that waits to be; null where none does. */
  readonly join: OutcomeQueue['join']
}

/** How long a claim holds. */
const leaseMs = 60_000

/** How long a carrier has for a message: less than the claim holds, or another node could take it too. */
const handOverMs = 45_000

/** After so long a claim leaves a carrier less time than that: what is not with it yet is given back. */
const freshMs = leaseMs - handOverMs

/** How long the carriers still have when the loop is stopped. */
const graceMs = 20_000

/** The net beneath the wake-ups. */
const pollMs = 5000

/** Makes the loop that hands messages to their carriers when they are due. */
export function submissionLoop(options: SubmissionLoopOptions): SubmissionLoop {
  const { store, clock, log, members } = options
  const giveUp = new AbortController()
  const due = dueTime(steadyClock(clock))
  const dueClock = due.clock
  let full = false
  let stopping = false
  const isPressed = (): boolean => full || stopping
  const outcomes = outcomeQueue({ ...options, isPressed, signal: giveUp.signal })
  const handOver = handingOver({ ...options, clock: dueClock })
  const flights = carrierFlights({ ...options, deadlineMs: handOverMs, onRoom })
  const rates = senderRates(clock)
  const claiming = { ...options, due, flights, rates, leaseMs, owner: members.self }
  const claims = loop({ name: 'submission', clock: dueClock, log, pollMs, work })
  let ended = 0

  function onRoom(): void {
    ended += 1
    if (full) claims.wake(dueClock.now())
  }

  async function work(): Promise<Instant | null> {
    const [before, since] = [ended, clock.monotonic()]
    const claimed: Claimed = await store.transact((transaction) => claimDue(transaction, claiming))
    full = claimed.held
    if (full) outcomes.hurry()
    const isLate = clock.monotonic() - since > freshMs || !members.isHeldSince(since)
    if (isLate) return giveBack(outcomes, claimed.ready, dueClock.now())
    // At once: what is deleted from now on may still be sent.
    for (const [carrier, ready] of Map.groupBy(claimed.ready, carrierOf)) {
      flights.of(carrier).flight.begin(ready, bring)
    }
    // There may be room again that nobody told of while the claim was committed.
    return full && ended !== before ? dueClock.now() : claimed.nextAt
  }

  async function bring(ready: HandOver, signal: AbortSignal): Promise<void> {
    const handedOver = await handOver(ready, signal)
    if (handedOver === null) return
    await outcomes.add(handedOver)
    if (handedOver.outcome.kind === 'POSTPONED') claims.wake(handedOver.outcome.dueAt)
  }

  return {
    wake: claims.wake,
    join: outcomes.join,
    async stop() {
      stopping = true
      outcomes.hurry()
      await claims.stop()
      const cancel = clock.after(graceMs, () => giveUp.abort())
      await flights.end(graceMs)
      cancel()
    },
  }
}

/**
 * The store was slow, or this process stood still: makes them due again, for whoever is free. Nothing is
 * written where the claim is not ours any more. Returns when they are due.
 */
async function giveBack(
  outcomes: OutcomeQueue,
  all: readonly HandOver[],
  dueAt: Instant,
): Promise<Instant> {
  const outcome = { kind: 'POSTPONED', dueAt } as const
  await Promise.all(
    all.map((handOver) => outcomes.add({ handOver, carrier: carrierOf(handOver), outcome })),
  )
  return dueAt
}

function carrierOf({ kept }: HandOver): string {
  return kept.message.carrier ?? ''
}
