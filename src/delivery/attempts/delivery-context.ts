import type { WebhookSlot } from '../workers/concurrency-limiter.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import type { ServedWebhook } from '../workers/served-webhook.ts'
import type { WebhookTarget } from './target.ts'

/** The context of one turn of a webhook, which has a slot and whose target was read. */
export interface DeliveryContext {
  readonly served: ServedWebhook
  readonly target: WebhookTarget
  readonly slot: WebhookSlot
  readonly parts: DeliveryParts
}
