import type { AlertRecord } from '../../collections/alerts.ts'
import { notificationRecord, recordFields, type Message } from '../../collections/messages.ts'
import { defaultsOf } from '../../core/declaration/field.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject } from '../../core/json.ts'
import { isAlert, type AlertType } from '../../core/ports/notification-log.ts'
import { timestamp } from '../../core/timestamp.ts'

/** A number that is reserved for fiction: a mistake reaches no person. */
const sampleNumber = '+447700900123'
const sampleOwnNumber = '+447700900456'

/** The type of a record that a test sends. */
export type SampleType = Message['type'] | AlertType

/** Returns the record of an event that did not happen, to test a receiver. */
export function sampleRecord(type: SampleType, newId: NewId, now: Instant): JsonObject {
  return isAlert(type) ? sampleAlert(type, newId, now) : sampleMessage(type, newId, now)
}

function sampleMessage(type: Message['type'], newId: NewId, now: Instant): JsonObject {
  const isSent = type === 'SENT'
  const status = isSent ? 'DELIVERED' : 'RECEIVED'
  return notificationRecord({
    ...defaultsOf(recordFields),
    id: newId('message'),
    type,
    from: isSent ? sampleOwnNumber : sampleNumber,
    to: isSent ? sampleNumber : sampleOwnNumber,
    body: 'This is a test.',
    encoding: 'TEXT',
    numberOfParts: 1,
    creditCost: 0,
    submission: { id: newId('submission'), date: timestamp(now) },
    status: { id: `${status}.null`, type: status },
  })
}

function sampleAlert(type: AlertType, newId: NewId, now: Instant): AlertRecord {
  const isDisabled = type === 'WEBHOOK_DISABLED'
  return {
    id: newId('alert'),
    type,
    webhook: { id: 'example', name: 'Example' },
    state: isDisabled ? 'DISABLED' : 'ACTIVE',
    stateReason: isDisabled ? 'This is a test.' : null,
    lag: 0,
    date: timestamp(now),
  }
}
