import { accountId } from '../../../src/core/account.ts'
import type { OutgoingMessage } from '../../../src/core/ports/carrier.ts'

/** A message as a carrier is given it. */
export function aMessage(fields: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    account: accountId('ours'),
    id: 'message_1',
    from: 'Nuncio',
    to: '+4915112345678',
    body: 'hello',
    encoding: 'TEXT',
    protocolId: 0,
    messageClass: 1,
    numberOfParts: 1,
    priority: 1,
    userSuppliedId: null,
    validUntil: null,
    ...fields,
  }
}
