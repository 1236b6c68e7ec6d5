import type { DeliveryParts } from './delivery-parts.ts'
import { readProgress } from '../progress/progress.ts'
import type { ServedWebhook } from './served-webhook.ts'

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
