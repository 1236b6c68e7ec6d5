import { sign } from '@nuncio/receiver'
import {
  correlationHeaders,
  readCorrelation,
  noTracing,
  type Span,
} from '../../core/correlation.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { NewInstance } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { explain, type Outcome, type Posted, type PostRequest, statusOf } from '../egress/post.ts'
import type { OpenBatch, WebhookProgress } from '../progress/progress.ts'
import type { Checkpoint } from '../progress/write-progress.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import type { DeliveryContext } from '../workers/served-webhook.ts'
import { type Action, refusalsMax, settle, type Settlement } from './settle.ts'
import type { SigningSecret, WebhookTarget } from './target.ts'

/** An attempt that is over: what it led to, and its record. */
export interface AttemptResult extends Settlement, Pick<Checkpoint, 'deliveries' | 'setAside'> {
  readonly outcome: Outcome
}

/** A batch whose boundaries are committed, so that it may be sent. */
interface ReadyBatch {
  readonly batch: OpenBatch
  readonly entries: readonly LogEntry[]
}

/**
 * Sends a batch once and settles the outcome; returns null if aborted. Writes nothing. `progress`
 * returns the progress of its deliveries: a replay has a separate one.
 */
export async function attempt(
  { served, target, parts }: DeliveryContext,
  ready: ReadyBatch,
  progress: () => WebhookProgress,
  replay: string | null,
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
  { batch, entries }: ReadyBatch,
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
  { batch, entries }: ReadyBatch,
  span: Span,
  parts: DeliveryParts,
): Promise<Posted> {
  const records = entries.map(({ record }) => record)
  const correlated = correlationHeaders(...entries.map(({ correlation }) => correlation))
  if (span.traceparent !== null) correlated['traceparent'] = span.traceparent
  const request = requestTo(target, batch.id, records, parts.clock.now(), parts, correlated)
  return parts.post(request, parts.node.aborting)
}

/** An attempt that is over. */
interface FinishedAttempt {
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
function deliveryRecord(attempt: FinishedAttempt, now: Instant): NewInstance {
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

/** Returns the request that sends records to a target, in the words of the target's version. */
export function requestTo(
  target: WebhookTarget,
  webhookId: string,
  records: readonly string[],
  now: Instant,
  { recordIn, userAgent }: Pick<DeliveryParts, 'recordIn' | 'userAgent'>,
  correlated?: Readonly<Record<string, string>>,
): PostRequest {
  const { url, timeoutMs } = target
  const body = bodyOf(records.map((record) => recordIn(target.version, record)))
  const headers = requestHeaders(target, webhookId, body, userAgent, now, correlated)
  return { url, headers, body, timeoutMs }
}

/**
 * The header fields of a request, signed after Standard Webhooks with every secret that is valid at
 * `now`. A webhook's own fields cannot take the place of these, the user agent and
 * `correlated`, of the request that created the messages, excepted.
 */
export function requestHeaders(
  target: Pick<WebhookTarget, 'headers' | 'secrets'>,
  webhookId: string,
  body: Uint8Array,
  userAgent: string,
  now: Instant,
  correlated: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const fields: Record<string, string> = { 'user-agent': userAgent, ...correlated }
  for (const [name, value] of Object.entries(target.headers)) fields[name.toLowerCase()] = value
  fields['content-type'] = 'application/json'
  fields['webhook-id'] = webhookId
  fields['webhook-timestamp'] = String(timestamp)
  fields['webhook-signature'] = target.secrets
    .filter((secret) => isValid(secret, now))
    .map(({ key }) => sign(key, { id: webhookId, timestamp, body }))
    .join(' ')
  return fields
}

function isValid({ until }: SigningSecret, now: Instant): boolean {
  return until === null || until > now
}

/** The body of a request: records are JSON texts, and so is their array. */
export function bodyOf(records: readonly string[]): Uint8Array {
  return Buffer.from(`[${records.join(',')}]`)
}
