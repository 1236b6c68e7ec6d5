import type { Alert } from '../../collections/alerts.ts'
import type { JsonObject } from '../../core/json.ts'
import type { AlertType } from '../../core/ports/notification-log.ts'
import type { Stored, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import type { ServedWebhook } from '../workers/served-webhook.ts'
import { asWebhook } from './stored-webhook.ts'
import type { WebhookTarget } from '../attempts/target.ts'
import type { WebhookState } from './webhook-state.ts'
import type { Checkpoint } from './checkpoint.ts'

/** An alert that goes with the next commit: its identifier is drawn, its backlog counted. */
export interface DueAlert extends Pick<Alert, 'id' | 'lag'> {
  readonly type: AlertType
  readonly at: number
}

/**
 * Returns the alert to record with this checkpoint; null if there is none. Only the service's own
 * changes
 * cause alerts, and their end; those of the owner do not.
 */
export async function dueAlert(
  served: ServedWebhook,
  target: WebhookTarget,
  { position, progress }: Checkpoint,
  { store, newId, clock, events }: DeliveryParts,
): Promise<DueAlert | null> {
  const type =
    progress.disabled !== null && target.state !== 'DISABLED'
      ? 'WEBHOOK_DISABLED'
      : served.isAlarmed && progress.alarmedAt === null
        ? 'WEBHOOK_RECOVERED'
        : null
  if (type === null) return null

  const { account, webhookId } = served.consumer
  // Counted outside the transaction: a long backlog would hold up the other writers.
  const lag = await store.log.count(account, position, target.filter).catch((error: unknown) => {
    events.failed(webhookId, error)
    return null
  })
  return { id: newId('alert'), type, lag, at: clock.now() }
}

/** Appends the alert to the log, in the transaction that changes the webhook. */
export async function recordAlert(
  writer: Writer,
  { id, type, lag, at }: DueAlert,
  webhook: Stored,
  { state, stateReason }: WebhookState,
): Promise<void> {
  const instance: JsonObject = JSON.parse(webhook.doc)
  const { name } = asWebhook(instance)
  const record: Alert = {
    id,
    type,
    webhook: { id: webhook.id, name: name ?? null },
    state,
    stateReason,
    lag,
    date: timestamp(at),
  }
  const text = JSON.stringify(record)
  await writer.notify({ type, status: webhook.id, messageId: id, at, record: text })
}
