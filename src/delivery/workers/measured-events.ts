import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { DeliveryEvents } from './events.ts'
import type { Outcome } from '../attempts/outcome.ts'

/** Seconds; up to the longest timeout of a webhook. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60]

const none: Labels = {}

/** Counts what happens in deliveries, and hands it on. */
export function measuredEvents(events: DeliveryEvents, metrics: Metrics): DeliveryEvents {
  const attempts = metrics.counter('nuncio_delivery_attempts_total', 'Requests to webhooks.')
  const records = metrics.counter('nuncio_records_delivered_total', 'Notifications acknowledged.')
  const duration = metrics.histogram(
    'nuncio_delivery_duration_seconds',
    'Time from a request to a webhook to the end of its answer.',
    buckets,
  )
  return {
    ...events,
    attempted: (attempt) => {
      const labels = (attempt.isRetrying ? ofRetries : ofFirst)[attempt.outcome.kind]
      attempts.add(labels)
      duration.observe(labels, attempt.durationMs / 1000)
      if (attempt.outcome.kind === 'ACCEPTED') records.add(none, attempt.batch.count)
      events.attempted(attempt)
    },
  }
}

/** The same object for the same values: who counts looks less often then. */
const labelsOf = (state: string): Readonly<Record<Outcome['kind'], Labels>> => ({
  ACCEPTED: { outcome: 'ACCEPTED', state },
  REFUSED: { outcome: 'REFUSED', state },
  GONE: { outcome: 'GONE', state },
  UNREACHABLE: { outcome: 'UNREACHABLE', state },
  TIMEOUT: { outcome: 'TIMEOUT', state },
  BLOCKED: { outcome: 'BLOCKED', state },
})
const ofRetries = labelsOf('RETRYING')
const ofFirst = labelsOf('ACTIVE')
