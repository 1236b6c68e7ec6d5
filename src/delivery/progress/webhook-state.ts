import { timestamp } from '../../core/timestamp.ts'
import type { WebhookProgress } from './progress.ts'
import { webhooks } from '../../collections/webhooks.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Writer } from '../../core/ports/store.ts'

/** Delivery state that a webhook shows. */
export interface WebhookState {
  readonly state: 'ACTIVE' | 'RETRYING' | 'DISABLED'
  readonly stateReason: string | null
}

/** The state that follows from the owner's wish and the progress. */
export function stateOf(progress: WebhookProgress, active: boolean): WebhookState {
  if (!active) return withReasons('DISABLED', 'It is set inactive.', progress)
  if (progress.disabled !== null) return withReasons('DISABLED', progress.disabled, progress)
  if (progress.failingSince !== null) return withReasons('RETRYING', progress.error, progress)
  return withReasons('ACTIVE', null, progress)
}

function withReasons(
  state: WebhookState['state'],
  reason: string | null,
  { trimmedAt }: WebhookProgress,
): WebhookState {
  const trimmed =
    trimmedAt === null
      ? null
      : `Undelivered notifications exceeded their retention, last on ${timestamp(trimmedAt)}.`
  const reasons = [reason, trimmed].filter((each) => each !== null)
  return { state, stateReason: reasons.length === 0 ? null : reasons.join(' ') }
}

/**
 * Saves the state of a webhook in this transaction: the other fields stay as its owner last set
 * them.
 */
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
