import { wait, type Clock } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { measureBacklog, type StateFigures, type Survey } from './measure-backlog.ts'

/** What was found is good for so long: it costs a look at every webhook. */
const freshMs = 10_000

/** Whoever reads the metrics is kept waiting no longer; then they are of the last time. */
const patienceMs = 2000

/** What the metrics of webhooks are read from. */
export interface WebhookMetricParts {
  readonly store: Store
  readonly clock: Clock
  /** The webhooks could not be looked at; what was known before is shown. */
  readonly onFault: (error: unknown) => void
}

/** Says of webhooks by their state how many they are, and how far they are behind. */
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

/** Looks anew when it is asked and what it knows is old, once at a time. */
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
