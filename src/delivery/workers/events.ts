import { correlationFields } from '../../core/correlation.ts'
import type { Log } from '../../core/ports/log.ts'
import { explain, type Outcome } from '../egress/post.ts'
import type { OpenBatch } from '../progress/progress.ts'
import type { Action } from '../attempts/settle.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'

/** Events of deliveries that an operator sees, one method each. */
export interface DeliveryEvents {
  attempted(attempt: AttemptEvent): void
  /** The store could not be used, or a webhook could not be worked on; it is tried again. */
  failed(webhookId: string, error: unknown): void
  /** A lease could not be renewed or taken; the next look retries. */
  leasesFailed(error: unknown): void
  /** Expired data could not be removed; the next run retries. */
  retentionFailed(error: unknown): void
  /** The messages of an account could not be counted; the next run retries. */
  statisticsFailed(error: unknown): void
  /** The webhooks could not be counted for the metrics; it is tried again. */
  surveyFailed(error: unknown): void
}

/** Attempt and the resulting action. */
export interface AttemptEvent {
  readonly webhookId: string
  /** The replay that it is part of, if any. */
  readonly replay: string | null
  /** True if the attempt before it failed. */
  readonly isRetrying: boolean
  readonly batch: OpenBatch
  readonly durationMs: number
  readonly outcome: Outcome
  readonly action: Action
  /** The requests that created the messages, as `correlationText`; undefined if unknown. */
  readonly correlations: readonly (string | undefined)[]
}

/** Writes them to the log. */
export function deliveryEvents(log: Log): DeliveryEvents {
  return {
    attempted: ({ webhookId, replay, batch, durationMs, outcome, action, correlations }) =>
      log(levels[action.kind], 'webhook delivery attempted', {
        webhookId,
        ...(replay === null ? {} : { replay }),
        batchId: batch.id,
        records: batch.count,
        attempt: batch.attempts + 1,
        durationMs,
        outcome: outcome.kind,
        action: action.kind,
        error: explain(outcome),
        ...correlationFields(...correlations),
      }),
    failed: (webhookId, error) =>
      log('error', 'webhook delivery interrupted', { webhookId, error }),
    leasesFailed: (error) => log('warn', 'webhook leases not renewed', { error }),
    retentionFailed: (error) => log('warn', 'retention failed', { error }),
    statisticsFailed: (error) => log('warn', 'statistics not counted', { error }),
    surveyFailed: (error) => log('warn', 'webhooks not counted', { error }),
  }
}

const levels = {
  ADVANCE: 'debug',
  RETRY: 'info',
  HALVE: 'info',
  SET_ASIDE: 'warn',
  DISABLE: 'warn',
} as const satisfies Record<Action['kind'], 'debug' | 'info' | 'warn'>

/** Seconds; up to the longest timeout of a webhook. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60]

const none: Labels = {}

/** Counts what happens in deliveries, and hands it on. */
export function measuredEvents(events: DeliveryEvents, metrics: Metrics): DeliveryEvents {
  const attempts = metrics.counter(
    'nuncio_delivery_attempts_total',
    'Requests to webhooks, without tests.',
    [...Object.values(ofFirst), ...Object.values(ofRetries)],
  )
  const records = metrics.counter('nuncio_records_delivered_total', 'Notifications acknowledged.', [
    none,
  ])
  const duration = metrics.histogram(
    'nuncio_delivery_duration_seconds',
    'Time from a request to a webhook to the end of the response.',
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
