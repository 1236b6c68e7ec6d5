import { defaultAccount, type AccountId } from '../core/account.ts'
import type { IncomingEvent } from '../core/carrier.ts'
import type { Instant } from '../core/clock.ts'
import type { NewId } from '../core/id.ts'
import type { Transaction, Writer } from '../core/store.ts'
import { timestamp } from '../core/timestamp.ts'
import { messages, type Message } from '../collections/messages.ts'
import { notify } from './kept-message.ts'
import { relatedMessage } from './related-message.ts'
import { statusOf } from './status.ts'

/** What taking in a message needs besides the message. */
export interface Arrival {
  readonly transaction: Transaction
  /** The carrier that it came in by. */
  readonly carrier: string
  readonly newId: NewId
  readonly at: Instant
}

/** Takes in a message from outside: the account that it is for receives it, and is notified. */
export async function takeIn(arrival: Arrival, event: IncomingEvent): Promise<void> {
  const { transaction, at } = arrival
  const account = await accountOf(transaction, event)
  const writer = transaction.in(account)

  const message = received(arrival, event, await sentMessageOf(writer, event, at))
  await writer.save(messages, { id: message.id }, message, null)
  await notify(writer, message, at)
}

/** Whose message it is, the surest sign first. */
async function accountOf(transaction: Transaction, event: IncomingEvent): Promise<AccountId> {
  return event.repliesTo?.account ?? (await transaction.lastSender(event.to)) ?? defaultAccount
}

/** The message that it answers: the carrier may know, else the addresses tell. */
async function sentMessageOf(
  writer: Writer,
  { repliesTo, from, to }: IncomingEvent,
  at: Instant,
): Promise<string | null> {
  if (repliesTo !== null && (await writer.find(messages, { id: repliesTo.messageId })) !== null) {
    return repliesTo.messageId
  }
  return relatedMessage(writer, { from: to, to: from }, at)
}

function received(
  { carrier, newId, at }: Arrival,
  event: IncomingEvent,
  relatedSentMessageId: string | null,
): Message {
  const date = timestamp(at)
  const status = statusOf({ type: 'RECEIVED', detail: null })
  return {
    id: newId(messages.noun),
    type: 'RECEIVED',
    from: event.from,
    to: event.to,
    body: event.body,
    encoding: event.encoding,
    protocolId: event.protocolId,
    messageClass: event.messageClass,
    numberOfParts: event.numberOfParts,
    creditCost: 0,
    submission: { id: newId('submission'), date },
    status,
    relatedSentMessageId,
    userSuppliedId: null,
    scheduledAt: null,
    validUntil: null,
    carrier,
    history: [{ status: status.id, date }],
    createdAt: date,
    updatedAt: date,
  }
}
