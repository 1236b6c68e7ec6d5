import { webhooks } from '../../collections/webhooks.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { ServedWebhook } from './served-webhook.ts'
import { targetOf, type WebhookTarget } from '../attempts/target.ts'
import { readProgress } from '../progress/progress.ts'

/** The webhook as it is now: the same object for as long as it is unchanged; null where it was removed. */
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

/** Whether no webhook was changed since this one was read as `target`: tells without a look at the store. */
export function isAsRead(
  { read }: ServedWebhook,
  target: WebhookTarget,
  { node }: DeliveryParts,
): boolean {
  return read?.changes === node.changes() && read.target === target
}

/**
 * Whether the batch that is to be sent next is among those that are stored as planned. Where it is
 * not, the owner chose other records, or another node has gone on, and this one was not told.
 */
export async function isStillStored(
  { consumer, progress }: ServedWebhook,
  { store }: DeliveryParts,
): Promise<boolean> {
  const { account, webhookId } = consumer
  const found = await store.read(account, (reader) => reader.findConsumer(account, webhookId))
  if (found === null) return false
  const { batch, ahead } = readProgress(found.progress, (text) => store.log.parse(text))
  return [batch, ...ahead].some((stored) => stored?.id === progress.batch?.id)
}
