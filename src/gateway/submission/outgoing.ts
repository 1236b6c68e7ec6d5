import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { OutgoingMessage } from '../../core/ports/carrier.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message } from '../../collections/messages.ts'

/** A message as its carrier is given it. */
export function outgoing(account: AccountId, message: Message): OutgoingMessage {
  return {
    account,
    id: message.id,
    from: message.from ?? '',
    to: message.to,
    body: message.body,
    encoding: message.encoding ?? 'UNICODE',
    protocolId: message.protocolId,
    messageClass: message.messageClass,
    numberOfParts: message.numberOfParts,
    validUntil: validityEnd(message),
  }
}

/** When the validity of a message ends, or null where the carrier decides. */
export function validityEnd({ validUntil }: Message): Instant | null {
  return validUntil === null ? null : parseTimestamp(validUntil)
}
