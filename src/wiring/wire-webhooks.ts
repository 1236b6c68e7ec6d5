import packageJson from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import type { Metrics } from '../core/ports/metrics.ts'
import type { NodeMembers } from '../core/ports/nodes.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import { deliveryRules } from '../delivery/rules/delivery-rules.ts'
import { startDispatcher } from '../delivery/workers/dispatcher.ts'
import { deliveryEvents, measuredEvents } from '../delivery/workers/events.ts'
import { defaultLeaseTimes, sharedLeaseTimes } from '../delivery/workers/leases.ts'
import { replayRules } from '../delivery/rules/replay-rules.ts'
import { type RetentionParts, startRetention } from '../delivery/retention/retention.ts'
import { messageRetention, retentionCounts } from '../delivery/retention/retain-messages.ts'
import { startStatistics } from '../delivery/statistics.ts'
import { measureWebhooks } from '../delivery/workers/webhook-metrics.ts'
import { webhookRules } from '../delivery/rules/webhook-rules.ts'
import type { Dependencies } from './dependencies.ts'
import type { Versions } from '../versions/versions.ts'

/** Connected delivery of notifications. Disposing stops it. */
export interface WiredWebhooks extends AsyncDisposable {
  readonly rules: RuleBook
  /** Starts what delivers, and what removes the old. */
  start(): void
  /** Aborts the operations that clients wait for. */
  leave(): void
}

/** Time for deliveries in flight to end when the service stops, in milliseconds. */
const deliveryGraceMs = 15_000

const dayMs = 24 * 3_600_000

/** User-Agent of requests to receivers. */
const userAgent = `Nuncio/${packageJson.version}`

/** Joins the parts that have to do with webhooks. */
export function wireWebhooks(
  config: Config,
  dependencies: Dependencies & { readonly members: NodeMembers },
  { recordIn }: Versions,
  registry: Metrics,
): WiredWebhooks {
  const { store, clock, random, log, guard } = dependencies
  const leaving = new AbortController()
  const running = new AsyncDisposableStack()
  const sending = { ...dependencies, recordIn, userAgent }
  const events = measuredEvents(deliveryEvents(log), registry)
  running.use(measureWebhooks(registry, { store, clock, onFault: events.surveyFailed }))
  return {
    rules: {
      webhooks: webhookRules({ log: store.log, guard, random }),
      'webhooks/replays': replayRules,
      'webhooks/deliveries': deliveryRules({ ...sending, leaving: leaving.signal }),
    },
    start: () => {
      const schedule = config.retrySchedule.map((seconds) => seconds * 1000)
      const owner = dependencies.members.self
      const leaseTimes = store.isShared ? sharedLeaseTimes : defaultLeaseTimes
      const dispatcher = startDispatcher({ ...sending, events, owner, schedule, leaseTimes })
      const alone = { store, clock, owner: store.isShared ? owner : null }
      const statistics = startStatistics({ ...alone, onFault: events.statisticsFailed })
      const retention = startRetention({
        ...alone,
        ...keptTimes(config, { store, clock }, registry),
        onFault: events.retentionFailed,
      })
      running.defer(async () => {
        await Promise.all([
          dispatcher.stop(deliveryGraceMs),
          retention[Symbol.asyncDispose](),
          statistics[Symbol.asyncDispose](),
        ])
      })
    },
    leave: () => leaving.abort(),
    [Symbol.asyncDispose]: () => {
      leaving.abort()
      return running.disposeAsync()
    },
  }
}

/** Returns the retention times of the configuration. */
function keptTimes(
  config: Config,
  { store, clock }: Pick<Dependencies, 'store' | 'clock'>,
  registry: Metrics,
): Pick<RetentionParts, 'auditKeptMs' | 'messages'> {
  const onRetained = retentionCounts(registry)
  return {
    auditKeptMs: config.auditRetentionDays * dayMs,
    messages: messageRetention({ store, clock, retentionDays: config, onRetained }),
  }
}
