import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import { claimDue } from './claim-due.ts'
import { directSubmissions } from './direct-submissions.ts'
import type { LateDirectWay } from './direct-way.ts'
import { dueTime } from './due-time.ts'
import { handOvers, type HandOvers, type HandOversOptions } from './pending-submits.ts'
import { loop, type Loop } from './loop.ts'
import { recalls, type Recalls } from './recalls.ts'
import type { Routing } from '../carriers/routing.ts'
import { senderRates } from '../rates/sender-rates.ts'
import { steadyClock } from './steady-clock.ts'

/** What the submission loop needs. */
export interface SubmissionLoopOptions extends Omit<
  HandOversOptions,
  'dueClock' | 'deadlineMs' | 'onRoom' | 'onPostponed' | 'recalls'
> {
  readonly store: Store
  readonly newId: NewId
  readonly routing: Routing
  /** Opened for messages that need not wait, where this process alone hands over. */
  readonly direct?: LateDirectWay
  /** The nodes over the store: what one has claimed others take over when it has gone. */
  readonly members: NodeMembers
  /** Whether a message that may be at its carrier already is sent again. */
  readonly resubmit: boolean
}

/** The loop, and the way into what it writes. */
export interface SubmissionLoop extends Loop {
  /** Has a receipt written with the outcome that waits to be; null where none does. */
  readonly join: HandOvers['join']
  /** Has messages that wait at their carriers not leave any more. */
  readonly recall: Recalls['add']
}

/** How long a claim holds. */
const leaseMs = 60_000

/** How long a carrier has for a message: less than the claim holds, or another node could take it too. */
const deadlineMs = 45_000

/** After so long a claim leaves a carrier less time than that: what is not with it yet is given back. */
const freshMs = leaseMs - deadlineMs

/** The net beneath the wake-ups. */
const pollMs = 5000

/** Makes the loop that hands messages to their carriers when they are due. */
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
  const direct = directSubmissions({ ...options, dueClock, freshMs, hands, claimant, wake })
  if (!store.isShared) options.direct?.open(direct)
  const rates = senderRates(clock)
  const { flights } = hands
  const claiming = { ...options, due, flights, rates, claimant, onLeft: direct.left }
  let full = false
  let stopping = false
  let ended = 0

  function onRoom(): void {
    ended += 1
    if (full) wake(dueClock.now())
  }

  async function work(): Promise<Instant | null> {
    const [before, since] = [ended, clock.monotonic()]
    const claimed = await store.transact((transaction) => claimDue(transaction, claiming))
    full = claimed.held
    hands.press(full || stopping)
    const isLate = clock.monotonic() - since > freshMs || !members.isHeldSince(since)
    if (isLate) {
      // The store was slow, or this process stood still: they are for whoever is free.
      const dueAt = dueClock.now()
      await hands.end(claimed.ready, { kind: 'POSTPONED', dueAt })
      return dueAt
    }
    hands.begin(claimed.ready)
    // There may be room again that nobody told of while the claim was committed.
    return full && ended !== before ? dueClock.now() : claimed.nextAt
  }

  return {
    wake,
    join: hands.join,
    recall: recalled.add,
    async stop() {
      stopping = true
      hands.press(stopping)
      await Promise.all([claims.stop(), direct.stop()])
      await hands.stop()
    },
  }
}
