import { eachShard } from '../../core/each-shard.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import type { WaitingQueue } from '../../core/ports/submissions.ts'
import { claimDue } from './claim-due.ts'
import { dueClock } from './due-clock.ts'
import { recalls, type Recalls, submitter, type SubmitterOptions } from './submitter.ts'
import type { PartPricing } from './recount-parts.ts'
import { loop, type Loop } from '../loop.ts'
import type { Routing } from '../carriers/routing.ts'
import type { SubmissionEvents } from './submission-events.ts'
import { senderRates } from '../rates.ts'

/** The dependencies of the submission loop. */
export interface SubmissionLoopOptions extends Omit<
  SubmitterOptions,
  'dueClock' | 'deadlineMs' | 'onRoom' | 'onPostponed' | 'recalls'
> {
  readonly store: Store
  readonly newId: NewId
  readonly routing: Routing
  /** The nodes over the store. If one leaves, the others claim what it had claimed. */
  readonly members: NodeMembers
  readonly events: SubmissionEvents
  /** True if a message that the carrier may already have is sent again. */
  readonly resubmit: boolean
  /** Counts parts again for the carrier of a message. Absent: their number stays. */
  readonly pricing?: PartPricing
}

/** The loop that claims due submissions and submits their messages. */
export interface SubmissionLoop extends Loop {
  /** Keeps messages that wait at their carriers from being sent. */
  readonly recall: Recalls['add']
}

/** The duration of a claim. */
const leaseMs = 60_000

/**
 * The deadline of a message at its carrier: shorter than the claim, or another node could claim it
 * too.
 */
const deadlineMs = 45_000

/** An older claim leaves a carrier less time than that, so its messages are postponed. */
const freshMs = leaseMs - deadlineMs

/** The interval of runs without a wake-up. */
const pollMs = 5000

/** What waits in a shard competes with other shards for so long: the shard may have stopped since. In milliseconds. */
const rememberedMs = 1000

/** What the last run for a shard found. */
interface ShardState {
  isFull: boolean
  waiting: readonly WaitingQueue[]
  seenAt: number
}

interface ShardClaims {
  readonly state: ShardState
  readonly claims: Loop
}

/** Creates the loop: the only path of a message from its commit to its carrier. */
export function submissionLoop(options: SubmissionLoopOptions): SubmissionLoop {
  const { store, clock: wall, log, members, events } = options
  const clock = dueClock(wall)
  const wake = (at: Instant): void => {
    for (const { claims } of ofShards.all()) claims.wake(at)
  }
  const recalled = recalls(wall, leaseMs)
  const limits = { dueClock: clock, deadlineMs, onRoom, onPostponed: wake, recalls: recalled }
  const submits = submitter({ ...options, ...limits })
  const claimant = () => ({ owner: members.self, until: clock.now() + leaseMs })
  const { flights } = submits
  const inputs = { ...options, dueClock: clock, flights, rates: senderRates(wall), claimant }
  let ended = 0
  const ofShards = eachShard(store, wall, (own): ShardClaims => {
    const state: ShardState = { isFull: false, waiting: [], seenAt: -Infinity }
    const claims = loop({ name: 'submission', clock, log, pollMs, work: () => work(own, state) })
    return { state, claims }
  })

  function onRoom(): void {
    ended += 1
    for (const { state, claims } of ofShards.all()) if (state.isFull) claims.wake(clock.now())
  }

  async function work(own: Store, state: ShardState): Promise<Instant | null> {
    const [before, since] = [ended, wall.monotonic()]
    const given = { ...inputs, elsewhere: () => waitingElsewhere(ofShards.all(), state, since) }
    const claimed = await own.transact((transaction) => claimDue(transaction, given))
    events.lost(claimed.lost)
    Object.assign(state, { isFull: claimed.isFull, waiting: claimed.waiting, seenAt: since })
    const isLate = wall.monotonic() - since > freshMs || !members.isHeldSince(since)
    if (isLate) {
      // The store was slow, or this process was paused: any node may claim them now.
      const dueAt = clock.now()
      await submits.postpone(claimed.ready, dueAt)
      return dueAt
    }
    submits.submit(claimed.ready)
    // Tasks that ended during the commit left room, without a wake-up.
    return state.isFull && ended !== before ? clock.now() : claimed.nextAt
  }

  return {
    wake,
    recall: recalled.add,
    async stop() {
      await Promise.all(ofShards.end().map(({ claims }) => claims.stop()))
      await submits.stop()
    },
  }
}

/** Returns what other shards had waiting lately. */
function waitingElsewhere(
  all: readonly ShardClaims[],
  own: ShardState,
  now: number,
): readonly WaitingQueue[] {
  const others = all.filter(({ state }) => state !== own && state.seenAt >= now - rememberedMs)
  return others.flatMap(({ state }) => state.waiting)
}
