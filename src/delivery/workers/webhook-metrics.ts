import { wait, type Clock } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { measureBacklog, type StateFigures, type Survey } from './measure-backlog.ts'

/** Validity of a measurement, in milliseconds: each one reads every webhook. */
const freshMs = 10_000

/** Maximum wait of a metrics request, in milliseconds; after that it gets the previous measurement. */
const patienceMs = 2000

/** Dependencies of the webhook metrics. */
export interface WebhookMetricParts {
  readonly store: Store
  readonly clock: Clock
  /** Reports a failed measurement; the metrics show the previous one. */
  readonly onFault: (error: unknown) => void
}

/** Registers gauges for webhooks by state: their number, backlog and oldest notification. */
export function measureWebhooks(registry: Metrics, parts: WebhookMetricParts): AsyncDisposable {
  const stopping = new AbortController()
  const read = lastSurvey(parts, stopping.signal)
  const gauge = (
    name: string,
    help: string,
    valueOf: (figures: StateFigures, now: number) => number,
  ): void =>
    registry.gauge(name, help, async () => {
      const found = await read.now()
      return [...found].map(([state, figures]): Sample => {
        return { labels: { state }, value: valueOf(figures, parts.clock.now()) }
      })
    })

  gauge('nuncio_webhooks', 'Webhooks.', ({ webhooks }) => webhooks)
  gauge('nuncio_webhook_lag_records', 'Notifications that wait for delivery.', ({ lag }) => lag)
  gauge(
    'nuncio_webhook_oldest_undelivered_seconds',
    'Age of the oldest notification that waits for delivery; 0 where none waits.',
    ({ oldestAt }, now) => (oldestAt === null ? 0 : Math.max(now - oldestAt, 0) / 1000),
  )

  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await read.ended()
    },
  }
}

/** Measures on request if the last measurement is old, one at a time. */
function lastSurvey({ store, clock, onFault }: WebhookMetricParts, signal: AbortSignal) {
  let last: Survey = new Map()
  let lookedAt = -Infinity
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    try {
      const found = await measureBacklog(store, clock, signal)
      if (!signal.aborted) last = found
    } catch (error) {
      onFault(error)
    }
    lookedAt = clock.monotonic()
    looking = null
  }
  return {
    now: async (): Promise<Survey> => {
      if (signal.aborted || clock.monotonic() - lookedAt < freshMs) return last
      looking ??= look()
      const enough = new AbortController()
      await Promise.race([looking, wait(clock, patienceMs, enough.signal)])
      enough.abort()
      return last
    },
    ended: async (): Promise<void> => {
      await looking
    },
  }
}
