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

/** What a receiver reads of each type, and what the parser therefore insists on. */
export const readFields = {
  RECEIVED: ['from', 'id', 'body'],
  SENT: ['to', 'id', 'body'],
} as const satisfies Record<NotificationRecord['type'], readonly (keyof NotificationRecord)[]>
