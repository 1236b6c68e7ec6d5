import type { Message } from '../collections/messages.ts'
import type { Instant } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { JsonObject } from '../core/json.ts'
import { timestamp } from '../core/timestamp.ts'

/** Numbers that are reserved for fiction: nobody is called by mistake. */
const [theirs, ours] = ['+447700900123', '+447700900456']

/** A notification record of a message that never was, for a test of a receiver: the 14 fields. */
export function sampleRecord(type: Message['type'], newId: NewId, now: Instant): JsonObject {
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
