import type { Message } from '../../collections/messages.ts'

/** What receivers are told of a message. */
export type NotificationRecord = ReturnType<typeof notificationRecord>

/** The notification record of a message as it is now: these 14 fields, in this order. */
export function notificationRecord(message: Message) {
  return {
    id: message.id,
    type: message.type,
    from: message.from,
    to: message.to,
    body: message.body,
    encoding: message.encoding,
    protocolId: message.protocolId,
    messageClass: message.messageClass,
    numberOfParts: message.numberOfParts,
    creditCost: message.creditCost,
    submission: message.submission,
    status: message.status,
    relatedSentMessageId: message.relatedSentMessageId,
    userSuppliedId: message.userSuppliedId,
  }
}
