/**
 * One message that was received or sent, as the webhook carries it. The parser vouches for `id`,
 * `type`, `body`, and for `from` of a RECEIVED or `to` of a SENT record; the rest is handed on as
 * it came.
 */
export interface NotificationRecord {
  /** Identifier of the message; the same in each of its notifications. */
  readonly id: string
  readonly type: 'RECEIVED' | 'SENT'
  readonly from: string
  readonly to: string
  readonly body: string
  /** `TEXT` (GSM 03.38), `UNICODE`, or `BINARY` (then `body` is hexadecimal). */
  readonly encoding: string
  readonly protocolId: number
  readonly messageClass: number
  readonly numberOfParts: number
  readonly creditCost: number
  /** `date` is ISO 8601, UTC. */
  readonly submission: { readonly id: string; readonly date: string }
  /** `id` is `<type>.<detail>`, the detail possibly the literal `null`: `DELIVERED.null`. */
  readonly status: { readonly id: string; readonly type: string }
  readonly relatedSentMessageId: string | null
  readonly userSuppliedId: string | null
}

/**
 * What became of another webhook of the account, for a webhook that asks for it by type. The parser
 * vouches for `id`, `type`, `state` and `webhook.id`.
 */
export interface AlertRecord {
  /** Identifier of this alert. */
  readonly id: string
  /** The service disabled the webhook; or it takes deliveries again after that. */
  readonly type: 'WEBHOOK_DISABLED' | 'WEBHOOK_RECOVERED'
  readonly webhook: { readonly id: string; readonly name: string | null }
  readonly state: string
  readonly stateReason: string | null
  /** How many notifications were undelivered; null where they could not be counted. */
  readonly lag: number | null
  /** ISO 8601, UTC. */
  readonly date: string
}

/** What a webhook carries. */
export type WebhookRecord = NotificationRecord | AlertRecord

/** What a receiver reads of each type, and what the parser therefore insists on. */
export const readFields = {
  RECEIVED: ['from', 'id', 'body'],
  SENT: ['to', 'id', 'body'],
  WEBHOOK_DISABLED: ['id', 'state'],
  WEBHOOK_RECOVERED: ['id', 'state'],
} as const satisfies Record<WebhookRecord['type'], readonly string[]>

/** Tells an alert from a notification of a message. */
export function isAlert(record: WebhookRecord): record is AlertRecord {
  return record.type === 'WEBHOOK_DISABLED' || record.type === 'WEBHOOK_RECOVERED'
}
