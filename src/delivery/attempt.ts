import type { DeliveryParts } from './delivery-parts.ts'
import { bodyOf } from './batch.ts'
import { deliveryRecord } from './delivery-record.ts'
import type { Posted } from './post.ts'
import { requestHeaders } from './request-headers.ts'
import type { Ready } from './rest.ts'
import type { ServedWebhook } from './served-webhook.ts'
import { settle } from './settle.ts'
import type { Target } from './target.ts'
import type { Reached } from './reached.ts'

/** Sends a batch once and settles what came of it; null where that was called off. Writes nothing. */
export async function attempt(
  served: ServedWebhook,
  target: Target,
  ready: Ready,
  parts: DeliveryParts,
): Promise<Reached | null> {
  const { clock, events, newId, node } = parts
  const beganAt = clock.now()
  const began = clock.monotonic()
  const posted = await send(target, ready, parts)
  if (node.aborting.aborted) return null

  const { batch, entries } = ready
  const { outcome } = posted
  const now = clock.now()
  served.answerMs = clock.monotonic() - began
  const durationMs = Math.round(served.answerMs)
  const settings = { schedule: parts.schedule, maxBatch: target.maxBatch }
  const { progress, action } = settle(served.progress, batch, outcome, settings, now, parts.random)
  const { webhookId } = served.consumer
  const isRetrying = served.progress.failingSince !== null
  events.attempted({ webhookId, isRetrying, batch, durationMs, outcome, action })

  const finished = { id: newId('delivery'), batch, entries, beganAt, durationMs, posted, action }
  return {
    position: 'to' in action ? action.to : served.position,
    progress,
    deliveries: [deliveryRecord(finished, now)],
  }
}

function send(target: Target, { batch, entries }: Ready, parts: DeliveryParts): Promise<Posted> {
  const body = bodyOf(entries.map(({ record }) => parts.recordIn(target.version, record)))
  const headers = requestHeaders(target, batch.id, body, parts.userAgent, parts.clock.now())
  const { url, timeoutMs } = target
  return parts.post({ url, headers, body, timeoutMs }, parts.node.aborting)
}
