import { eachShard } from '../../core/each-shard.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { metrics, type Metrics } from '../../core/ports/metrics.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Submission, WaitingQueue } from '../../core/ports/submissions.ts'
import { claimDue } from './claim-due.ts'
import { dueClock } from './due-clock.ts'
import { deadlineMs, leaseMs, submitter, type SubmitterOptions } from './submitter.ts'
import type { PartPricing } from './submit-decision.ts'
import { loop, type Loop } from '../loop.ts'
import type { Routing } from '../carriers/routing.ts'
import { senderRates } from '../rates.ts'

/** The dependencies of the submission loop. */
export interface SubmissionLoopOptions extends Omit<
  SubmitterOptions,
  'dueClock' | 'onRoom' | 'onPostponed'
> {
  readonly routing: Routing
  /** The nodes over the store. If one leaves, the others claim what it had claimed. */
  readonly members: NodeMembers
  /** The registry of its metrics. Default: one that nobody reads. */
  readonly registry?: Metrics
  /** True if a message that the carrier may already have is sent again. */
  readonly resubmit: boolean
  /** Counts parts again for the carrier of a message. Absent: their number stays. */
  readonly pricing?: PartPricing
}

/** The loop that claims due submissions and submits their messages. */
export interface SubmissionLoop {
  /** Resumes the work of the last process. Commits and changes of carriers wake the loop from now on. */
  start(): void
  /** Stops claims and waits at most 20 s for messages in flight. */
  stop(): Promise<void>
}

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
  const { store, clock: wall, log, members } = options
  const clock = dueClock(wall)
  const wake = (at: Instant): void => {
    for (const { claims } of ofShards.all()) claims.wake(at)
  }
  const reportLost = lostReporter(log, options.registry)
  const submits = submitter({ ...options, dueClock: clock, onRoom, onPostponed: wake })
  const claimant = () => ({ owner: members.self, until: clock.now() + leaseMs })
  const { flights } = submits
  const inputs = { ...options, dueClock: clock, flights, rates: senderRates(wall), claimant }
  let stopWakes = (): void => {}
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
    reportLost(claimed.lost)
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
    start() {
      stopWakes = wakeWhenDue(options, wake)
    },

    async stop() {
      stopWakes()
      await Promise.all(ofShards.end().map(({ claims }) => claims.stop()))
      await submits.stop()
    },
  }
}

/** Wakes the loop now, after commits and after changes of carriers. Returns a function that ends this. */
function wakeWhenDue(
  { store, carriers, clock }: Pick<SubmissionLoopOptions, 'store' | 'carriers' | 'clock'>,
  wake: (at: Instant) => void,
): () => void {
  const subscriptions = [
    store.onCommit(({ submissionDueAt }) => {
      if (submissionDueAt !== null) wake(submissionDueAt)
    }),
    carriers.onChange(() => wake(clock.now())),
  ]
  wake(clock.now())
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe()
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

/** The most submissions that one log line names. */
const namedMax = 20

/** Returns a function that logs and counts submissions that ended because their messages stayed invisible. */
function lostReporter(
  log: Log,
  registry: Metrics = metrics(),
): (submissions: readonly Submission[]) => void {
  const lost = registry.counter(
    'nuncio_submissions_lost_total',
    'Submissions that failed because the store did not show their messages for an hour.',
    [{}],
  )
  return (submissions) => {
    if (submissions.length === 0) return
    lost.add({}, submissions.length)
    const named = submissions.slice(0, namedMax)
    log('error', 'submissions failed without messages', {
      count: submissions.length,
      messages: named.map(({ account, messageId }) => ({ account, messageId })),
    })
  }
}
