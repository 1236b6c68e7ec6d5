import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import { claimDue } from './claim-due.ts'
import { dueTime } from './due-time.ts'
import { handOvers, type HandOversOptions } from './pending-submits.ts'
import { loop, type Loop } from './loop.ts'
import { recalls, type Recalls } from './recalls.ts'
import type { Routing } from '../carriers/routing.ts'
import { senderRates } from '../rates/sender-rates.ts'
import { steadyClock } from './steady-clock.ts'

/** The dependencies of the submission loop. */
export interface SubmissionLoopOptions extends Omit<
  HandOversOptions,
  'dueClock' | 'deadlineMs' | 'onRoom' | 'onPostponed' | 'recalls'
> {
  readonly store: Store
  readonly newId: NewId
  readonly routing: Routing
  /** The nodes over the store. If one leaves, the others claim what it had claimed. */
  readonly members: NodeMembers
  /** Whether a message that the carrier may already have is sent again. */
  readonly resubmit: boolean
}

/** The loop that claims due submissions and submits their messages. */
export interface SubmissionLoop extends Loop {
  /** Keeps messages that wait at their carriers from being sent. */
  readonly recall: Recalls['add']
}

/** How long a claim holds. */
const leaseMs = 60_000

/** How long a carrier has for a message: less than the claim holds, or another node could claim it too. */
const deadlineMs = 45_000

/** An older claim leaves a carrier less time than that, so its messages are postponed. */
const freshMs = leaseMs - deadlineMs

/** The interval of runs without a wake-up. */
const pollMs = 5000

/** Creates the loop: the only path of a message from its commit to its carrier. */
export function submissionLoop(options: SubmissionLoopOptions): SubmissionLoop {
  const { store, clock, log, members } = options
  const due = dueTime(steadyClock(clock))
  const dueClock = due.clock
  const claims = loop({ name: 'submission', clock: dueClock, log, pollMs, work })
  const { wake } = claims
  const recalled = recalls(clock, leaseMs)
  const own = { dueClock, deadlineMs, onRoom, onPostponed: wake, recalls: recalled }
  const hands = handOvers({ ...options, ...own })
  const claimant = () => ({ owner: members.self, until: dueClock.now() + leaseMs })
  const rates = senderRates(clock)
  const { flights } = hands
  const claiming = { ...options, due, flights, rates, claimant }
  let full = false
  let ended = 0

  function onRoom(): void {
    ended += 1
    if (full) wake(dueClock.now())
  }

  async function work(): Promise<Instant | null> {
    const [before, since] = [ended, clock.monotonic()]
    const claimed = await store.transact((transaction) => claimDue(transaction, claiming))
    full = claimed.held
    const isLate = clock.monotonic() - since > freshMs || !members.isHeldSince(since)
    if (isLate) {
      // The store was slow, or this process stood still: any node may claim them now.
      const dueAt = dueClock.now()
      await hands.postpone(claimed.ready, dueAt)
      return dueAt
    }
    hands.begin(claimed.ready)
    // Tasks that ended while the claim was committed left room that woke nobody.
    return full && ended !== before ? dueClock.now() : claimed.nextAt
  }

  return {
    wake,
    recall: recalled.add,
    async stop() {
      await claims.stop()
      await hands.stop()
    },
  }
}
