import { webhooks } from '../../collections/webhooks.ts'
import type { Clock } from '../../core/ports/clock.ts'
import { targetOf, type WebhookTarget } from '../attempts/target.ts'
import { readProgress } from '../progress/progress.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { ServedWebhook } from './served-webhook.ts'

/** Returns the webhook's current target: the same object while unchanged; null if it was removed. */
export async function readTarget(
  served: ServedWebhook,
  parts: DeliveryParts,
): Promise<WebhookTarget | null> {
  const changes = parts.node.changes()
  const known = served.read
  if (known?.changes === changes) return known.target

  const { account, webhookId } = served.consumer
  const stored = await parts.store.read(account, (reader) =>
    reader.find(webhooks, { id: webhookId }),
  )
  if (stored === null) return null
  const isSame = known?.stored.doc === stored.doc && known.stored.hidden === stored.hidden
  const target = isSame ? known.target : targetOf(stored)
  served.read = { target, stored, changes }
  return target
}

/** Returns true if no webhook changed since `target` was read, without a query. */
export function isAsRead(
  { read }: ServedWebhook,
  target: WebhookTarget,
  { node }: DeliveryParts,
): boolean {
  return read?.changes === node.changes() && read.target === target
}

/**
 * Returns true if the next batch is among the stored planned ones. Otherwise the owner chose other
 * records, or another node continued, and this node missed it.
 */
export async function isStillStored(
  { consumer, progress }: ServedWebhook,
  { store }: DeliveryParts,
): Promise<boolean> {
  const { account, webhookId } = consumer
  const found = await store.read(account, (reader) => reader.findConsumer(account, webhookId))
  if (found === null) return false
  const { batch, ahead } = readProgress(found.progress)
  return [batch, ...ahead].some((stored) => stored?.id === progress.batch?.id)
}

/** Alternating share of time for new records and for replays, in milliseconds. */
export const shareMs = 20

/**
 * Returns true if a replay of a webhook is due. Replays wait while new records fail: a receiver in
 * trouble must not get twice the requests.
 */
export function mayReplay(served: ServedWebhook, clock: Clock): boolean {
  const { replays, failingSince, disabled } = served.progress
  if (replays.length === 0 || failingSince !== null || disabled !== null) return false
  return served.replayDueAt <= clock.monotonic()
}

/** Returns true if this node may start a request: it holds its leases and is not stopping. */
export function mayBegin({ node }: Pick<DeliveryParts, 'node'>): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}
