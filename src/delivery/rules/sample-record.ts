import type { Message } from '../../collections/messages.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject } from '../../core/json.ts'
import { isAlert, type AlertType } from '../../core/ports/notification-log.ts'
import { timestamp } from '../../core/timestamp.ts'

/** Numbers reserved for fiction: nobody is called by mistake. */
const [theirs, ours] = ['+447700900123', '+447700900456']

/** The types that a test can have. */
export type SampleType = Message['type'] | AlertType

/** A notification record of what never was, for a test of a receiver. */
export function sampleRecord(type: SampleType, newId: NewId, now: Instant): JsonObject {
  return isAlert(type) ? sampleAlert(type, newId, now) : sampleMessage(type, newId, now)
}

function sampleMessage(type: Message['type'], newId: NewId, now: Instant): JsonObject {
  const isSent = type === 'SENT'
  const status = isSent ? 'DELIVERED' : 'RECEIVED'
  return {
    id: newId('message'),
    type,
    from: isSent ? ours : theirs,
    to: isSent ? theirs : ours,
    body: 'This is a test.',
    encoding: 'TEXT',
    protocolId: 0,
    messageClass: 1,
    numberOfParts: 1,
    creditCost: 0,
    submission: { id: newId('submission'), date: timestamp(now) },
    status: { id: `${status}.null`, type: status },
    relatedSentMessageId: null,
    userSuppliedId: null,
  }
}

function sampleAlert(type: AlertType, newId: NewId, now: Instant): JsonObject {
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
