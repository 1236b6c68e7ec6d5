import type { AlertRecord } from '../../../src/collections/alerts.ts'
import type { NotificationRecord } from '../../../src/collections/messages.ts'

export type { AlertRecord, NotificationRecord }

/** A record of a webhook request: a message's notification, or an alert about another webhook. */
export type WebhookRecord = NotificationRecord | AlertRecord

/** The names of a record's fields that hold a text and never null. */
type TextFieldsOf<R> = { [K in keyof R]: R[K] extends string ? K : never }[keyof R]

type RecordOfType<T> = T extends AlertRecord['type'] ? AlertRecord : NotificationRecord

/**
 * The fields that the parser requires of each type; it passes the others on unchecked, so that a
 * receiver accepts the records of a newer service. Each must be a text in the service's declaration.
 */
export const requiredFields = {
  RECEIVED: ['from', 'id', 'body'],
  SENT: ['to', 'id', 'body'],
  WEBHOOK_DISABLED: ['id', 'state'],
  WEBHOOK_RECOVERED: ['id', 'state'],
} as const satisfies {
  readonly [T in WebhookRecord['type']]: readonly TextFieldsOf<RecordOfType<T>>[]
}

/** Returns true for an alert, false for a message's notification. */
export function isAlertRecord(record: WebhookRecord): record is AlertRecord {
  return record.type === 'WEBHOOK_DISABLED' || record.type === 'WEBHOOK_RECOVERED'
}
