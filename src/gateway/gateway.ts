import type { CarrierCounts, ReportEvents } from '../core/ports/carrier.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Log } from '../core/ports/log.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import { alone, type NodeMembers } from '../core/ports/nodes.ts'
import type { Tracing } from '../core/correlation.ts'
import type { Random } from '../core/ports/random.ts'
import type { Store } from '../core/ports/store.ts'
import type { Carriers } from './carriers/carriers.ts'
import { reportLoops } from './reports/report-loops.ts'
import { keywordReader, type ExtraKeywords } from './reports/keyword.ts'
import { joinedReceipts } from './reports/joined-receipts.ts'
import { reportEvents } from './reports/report.ts'
import { routing, type Routing } from './carriers/routing.ts'
import type { PartPricing } from './submission/submit-decision.ts'
import { submissionLoop } from './submission/submission-loop.ts'

/** The dependencies of the gateway. */
export interface GatewayOptions {
  readonly store: Store
  /** The caller disposes them after the gateway. */
  readonly carriers: Carriers & { start(report: ReportEvents): Promise<void> }
  /** The routing, if others use it too. */
  readonly routing?: Routing
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /**
   * True if a message is sent again that its carrier may already have, because the process died or
   * the link broke before the response. If not, it ends as UNKNOWN. Default: true.
   */
  readonly resubmit?: boolean
  /** Keywords in addition to the English ones. Default: none. */
  readonly ownWords?: ExtraKeywords
  /** The nodes over the store. Default: this one alone. */
  readonly members?: NodeMembers
  readonly counts?: CarrierCounts
  readonly tracing?: Tracing | undefined
  /** Counts parts again for the carrier of a message. Default: their number stays. */
  readonly pricing?: PartPricing
  /** The registry of its metrics. Default: one that nobody reads. */
  readonly registry?: Metrics
}

/** Messages on their way: out to the carriers, and what comes back. */
export interface Gateway extends AsyncDisposable {
  /** Stores events from outside, on any node. Resolves when they are durable. */
  readonly report: ReportEvents
  /** Starts the carriers, then resumes the work of the last process. */
  start(): Promise<void>
}

/**
 * Creates a gateway. Disposing it stops claims and waits at most 20 s for messages in flight. Carriers can
 * report until they are disposed themselves.
 */
export function gateway(options: GatewayOptions): Gateway {
  const { carriers, resubmit = true, members = alone('') } = options
  const wishOf = keywordReader(options.ownWords ?? { stop: [], start: [] })
  const reports = reportLoops({ ...options, wishOf })
  const joined = joinedReceipts(options.counts)
  const submissions = submissionLoop({
    ...options,
    resubmit,
    members,
    routing: options.routing ?? routing(options),
    joined,
    onExpected: reports.wake,
  })
  const report = joined.report(reportEvents({ ...options, wishOf }))

  return {
    report,

    async start() {
      await carriers.start(report)
      submissions.start()
      reports.start()
    },

    async [Symbol.asyncDispose]() {
      await submissions.stop()
      await reports.stop()
    },
  }
}
