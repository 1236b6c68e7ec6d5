import type { CarrierCounts, ReportEvents } from '../core/ports/carrier.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/ports/log.ts'
import { alone, type NodeMembers } from '../core/ports/nodes.ts'
import type { Random } from '../core/ports/random.ts'
import type { Store } from '../core/ports/store.ts'
import type { Carriers } from './carriers/carriers.ts'
import { incompleteLoop, incompletePollMs } from './reports/incomplete-loop.ts'
import { wishes, type OwnWords } from './reports/keyword.ts'
import { overdueLoop } from './reports/overdue-loop.ts'
import { firstRetentionMs, receiptRetentionLoop } from './reports/receipt-retention-loop.ts'
import { reportEvents } from './reports/report.ts'
import { routing, type Routing } from './carriers/routing.ts'
import { submissionLoop } from './submission/submission-loop.ts'

/** What the gateway needs. */
export interface GatewayOptions {
  readonly store: Store
  /** Disposed after the gateway, by the caller. */
  readonly carriers: Carriers & { start(report: ReportEvents): Promise<void> }
  /** The ways of messages, where somebody else asks for them too. */
  readonly routing?: Routing
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /**
   * Whether a message is sent again that may be at its carrier already, because the process died
   * or the link broke before the answer. If not, it ends as UNKNOWN. True where nothing is said.
   */
  readonly resubmit?: boolean
  /** Words that opt out and in, besides the English ones; none where nothing is said. */
  readonly ownWords?: OwnWords
  /** The nodes over the store; alone where none are given. */
  readonly members?: NodeMembers
  readonly counts?: CarrierCounts
}

/** Messages on their way: out to the carriers, and what comes back. */
export interface Gateway extends AsyncDisposable {
  /** Takes in what came from outside, on whichever node. The promise is kept when it is durable. */
  readonly report: ReportEvents
  /** Starts the carriers, then goes on where the last process stopped. */
  start(): Promise<void>
}

/**
 * Makes a gateway. Disposing it claims no more messages and waits for those being handed over, at
 * most 20 s; carriers can report until they are disposed themselves.
 */
export function gateway(options: GatewayOptions): Gateway {
  const { store, carriers, clock, resubmit = true, members = alone('') } = options
  const wishOf = wishes(options.ownWords ?? { stop: [], start: [] })
  const overdue = overdueLoop(options)
  const incomplete = incompleteLoop({ ...options, wishOf })
  const retention = receiptRetentionLoop(options)
  const submissions = submissionLoop({
    ...options,
    resubmit,
    members,
    routing: options.routing ?? routing(options),
    onExpected: overdue.wake,
  })
  const report = reportEvents({ ...options, wishOf })
  let unsubscribe = (): void => {}
  let stopRecalls = (): void => {}

  return {
    report,

    async start() {
      await carriers.start(report)
      stopRecalls = store.onCommit(({ recalled }) => submissions.recall(recalled))
      const stopCommits = store.onCommit(({ submissionDueAt }) => {
        if (submissionDueAt !== null) submissions.wake(submissionDueAt)
      })
      const stopCarriers = carriers.onChange(() => submissions.wake(clock.now()))
      unsubscribe = () => {
        stopCommits()
        stopCarriers()
      }
      submissions.wake(clock.now())
      overdue.wake(clock.now())
      incomplete.wake(clock.now() + incompletePollMs)
      retention.wake(clock.now() + firstRetentionMs)
    },

    async [Symbol.asyncDispose]() {
      unsubscribe()
      await submissions.stop()
      // Only now nothing waits at a carrier any more.
      stopRecalls()
      await overdue.stop()
      await incomplete.stop()
      await retention.stop()
    },
  }
}
