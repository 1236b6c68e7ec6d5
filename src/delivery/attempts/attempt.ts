import { bodyOf } from './batch.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import { explain, statusOf, type Outcome } from './outcome.ts'
import type { Posted } from '../egress/post.ts'
import type { OpenBatch, WebhookProgress } from '../progress/progress.ts'
import { requestHeaders } from './request-headers.ts'
import type { ReadyAction } from './next-action.ts'
import type { ServedWebhook } from '../workers/served-webhook.ts'
import { refusalsMax, settle, type Action, type Settlement } from './settle.ts'
import type { WebhookTarget } from './target.ts'
import {
  correlationHeaders,
  readCorrelation,
  noTracing,
  type Span,
} from '../../core/correlation.ts'
import type { Checkpoint } from '../progress/checkpoint.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { NewInstance } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

/** An attempt that is over: what it led to, and its record. */
export interface AttemptResult extends Settlement, Pick<Checkpoint, 'deliveries' | 'setAside'> {
  readonly outcome: Outcome
}

/**
 * Sends a batch once and settles the outcome; returns null if aborted. Writes nothing. `progress`
 * returns the progress of its deliveries: a replay has a separate one.
 */
export async function attempt(
  served: ServedWebhook,
  target: WebhookTarget,
  ready: ReadyAction,
  progress: () => WebhookProgress,
  replay: string | null,
  parts: DeliveryParts,
): Promise<AttemptResult | null> {
  const { clock, events, newId, node } = parts
  const beganAt = clock.now()
  const began = clock.monotonic()
  const span = beginSpan(ready, served.consumer.webhookId, parts)
  const posted = await send(target, ready, span, parts)
  span.end(() => ({ 'nuncio.outcome': posted.outcome.kind }), explain(posted.outcome))
  if (node.aborting.aborted) return null

  const { batch, entries } = ready
  const { outcome } = posted
  const now = clock.now()
  served.answerMs = clock.monotonic() - began
  const durationMs = Math.round(served.answerMs)
  const settings = { schedule: parts.schedule, maxBatch: target.maxBatch }
  // While the answer was waited for, more may have been planned.
  const before = progress()
  const settlement = settle(before, batch, outcome, settings, now, parts.random)
  const { action } = settlement
  const { webhookId } = served.consumer
  const isRetrying = before.failingSince !== null
  const correlations = entries.map(({ correlation }) => correlation)
  const event = { webhookId, replay, isRetrying, batch, durationMs, outcome, action }
  events.attempted({ ...event, correlations })

  const id = newId('delivery')
  const finished = { id, replay, batch, entries, beganAt, durationMs, posted, action }
  return {
    ...settlement,
    outcome,
    deliveries: [deliveryRecord(finished, now)],
    setAside: action.kind === 'SET_ASIDE' ? entries : [],
  }
}

/** Begins the span of an attempt. It belongs to the trace of its messages, or is linked to their traces. */
function beginSpan(
  { batch, entries }: ReadyAction,
  webhookId: string,
  { tracing = noTracing }: DeliveryParts,
): Span {
  const traces = new Set(
    entries.map(({ correlation }) => readCorrelation(correlation)?.traceparent ?? null),
  )
  const [only = null] = traces
  return tracing.begin({
    name: 'deliver notifications',
    kind: 'CLIENT',
    parent: traces.size === 1 ? only : null,
    links: traces.size === 1 ? [] : [...traces].filter((trace) => trace !== null),
    attributes: () => ({
      'nuncio.webhook': webhookId,
      'nuncio.batch': batch.id,
      'messaging.batch.message_count': entries.length,
    }),
  })
}

function send(
  target: WebhookTarget,
  { batch, entries }: ReadyAction,
  span: Span,
  parts: DeliveryParts,
): Promise<Posted> {
  const body = bodyOf(entries.map(({ record }) => parts.recordIn(target.version, record)))
  const correlated = correlationHeaders(...entries.map(({ correlation }) => correlation))
  if (span.traceparent !== null) correlated['traceparent'] = span.traceparent
  const now = parts.clock.now()
  const headers = requestHeaders(target, batch.id, body, parts.userAgent, now, correlated)
  const { url, timeoutMs } = target
  return parts.post({ url, headers, body, timeoutMs }, parts.node.aborting)
}

/** An attempt that is over. */
export interface FinishedAttempt {
  readonly id: string
  /** The replay that it is part of, if any. */
  readonly replay: string | null
  readonly batch: OpenBatch
  readonly entries: readonly LogEntry[]
  readonly beganAt: Instant
  readonly durationMs: number
  readonly posted: Posted
  readonly action: Action
}

/** An attempt as an instance of the collection `deliveries`. */
export function deliveryRecord(attempt: FinishedAttempt, now: Instant): NewInstance {
  const { outcome, response } = attempt.posted
  return {
    id: attempt.id,
    batchId: attempt.batch.id,
    attempt: attempt.batch.attempts + 1,
    date: timestamp(attempt.beganAt),
    durationMs: Math.round(attempt.durationMs),
    outcome: outcome.kind,
    statusCode: statusOf(outcome),
    error: errorOf(attempt),
    response,
    messageIds: attempt.entries.map(({ messageId }) => messageId),
    test: false,
    replay: attempt.replay,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  }
}

function errorOf({ posted, action }: FinishedAttempt): string | null {
  const error = explain(posted.outcome)
  return action.kind === 'SET_ASIDE'
    ? `${error ?? ''} The record became a dead letter after ${refusalsMax} refusals.`
    : error
}
