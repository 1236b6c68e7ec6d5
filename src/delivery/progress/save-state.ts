import { webhooks } from '../../collections/webhooks.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { WebhookState } from './webhook-state.ts'

/** Saves the state of a webhook as it stands in this transaction: the rest is as its owner last left it. */
export async function saveState(
  writer: Writer,
  webhook: Stored,
  state: WebhookState,
  now: Instant,
): Promise<void> {
  const instance: JsonObject = JSON.parse(webhook.doc)
  const hidden: JsonObject | null = webhook.hidden === null ? null : JSON.parse(webhook.hidden)
  if (instance['state'] === state.state && instance['stateReason'] === state.stateReason) return
  const changed = { ...instance, ...state, updatedAt: timestamp(now) }
  await writer.save(webhooks, { id: webhook.id }, changed, hidden)
}
