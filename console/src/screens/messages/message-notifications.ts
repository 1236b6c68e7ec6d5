import type { Message } from '@nuncio/client'
import { isIntermediate } from '../../api/statuses.ts'

/** One request to a webhook, as the service recorded it. */
export interface Attempt {
  readonly id: string
  readonly batchId: string
  readonly attempt: number
  readonly date: string
  readonly outcome: string
  readonly replay: string | null
}

/** What decides which notifications a webhook gets, and when. */
export interface NotifiedWebhook {
  readonly types: readonly string[]
  readonly statuses: readonly string[]
  readonly createdAt: string
  readonly active: boolean
  readonly state: string
  readonly lag: number
}

/** The notifications of a message for one webhook, and the requests that carried them. */
export interface WebhookNotifications<Hook extends NotifiedWebhook, Made extends Attempt> {
  readonly webhook: Hook
  /** The statuses of the message that the webhook is notified of. */
  readonly statuses: readonly string[]
  /** The attempts by batch, the first batch and the first attempt first. */
  readonly batches: readonly (readonly Made[])[]
}

/** Returns what the webhooks of an account got of a message. Those that want none of it are left out. */
export function notificationsOf<Hook extends NotifiedWebhook, Made extends Attempt>(
  message: Pick<Message, 'type' | 'history'>,
  found: readonly { readonly webhook: Hook; readonly attempts: readonly Made[] }[],
): readonly WebhookNotifications<Hook, Made>[] {
  return found
    .map(({ webhook, attempts }) => ({
      webhook,
      statuses: wantedBy(webhook, message),
      batches: [...Map.groupBy(oldestFirst(attempts), ({ batchId }) => batchId).values()],
    }))
    .filter(({ statuses, batches }) => statuses.length > 0 || batches.length > 0)
}

/** Each status of a message is one notification. Webhooks get those after their creation that they select. */
function wantedBy(
  { types, statuses, createdAt }: NotifiedWebhook,
  { type, history }: Pick<Message, 'type' | 'history'>,
): readonly string[] {
  const isWanted = (status: string): boolean =>
    type === 'RECEIVED' || statuses.includes(status.split('.')[0] ?? '')
  if (!types.includes(type)) return []
  return history
    .filter(({ status, date }) => date >= createdAt && isWanted(status) && !isIntermediate(status))
    .map(({ status }) => status)
}

function oldestFirst<Made extends Attempt>(attempts: readonly Made[]): readonly Made[] {
  return attempts.toSorted((one, other) =>
    one.date === other.date ? one.attempt - other.attempt : one.date < other.date ? -1 : 1,
  )
}

/** Returns what is still to come for a webhook; null if nothing is. */
export function pendingText({
  webhook,
  statuses,
  batches,
}: WebhookNotifications<NotifiedWebhook, Attempt>): string | null {
  const last = batches.at(-1)?.at(-1)
  if (last !== undefined && last.outcome === 'ACCEPTED') return null
  if (statuses.length === 0) return null
  if (!webhook.active) return 'The webhook is paused: the notification waits.'
  if (webhook.state === 'DISABLED') return 'The webhook is disabled: the notification waits.'
  if (last === undefined) return 'No request has been made yet.'
  return webhook.lag > 0 ? 'The request will be repeated.' : 'It is not repeated any more.'
}
