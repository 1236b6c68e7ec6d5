import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { IncomingEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { formats } from '../../core/declaration/format.ts'
import type { NewId } from '../../core/id.ts'
import type { Transaction, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { blankMessage, messages, type Message } from '../../collections/messages.ts'
import { findNumber } from '../../collections/numbers.ts'
import { notify, statusOf } from '../messages/stored-message.ts'
import { type KeywordReader, applyKeyword } from './keyword.ts'
import { relatedMessage } from '../messages/related-message.ts'

/** The context of storing an incoming message. */
export interface Arrival {
  readonly transaction: Transaction
  /** The carrier that reported it. */
  readonly carrier: string
  readonly newId: NewId
  readonly wishOf: KeywordReader
  readonly at: Instant
}

/** Stores a message for its owners, and notifies the account that gets it. `detail` is that of the status RECEIVED. */
export async function storeReceived(
  arrival: Arrival,
  { account, bound }: Owners,
  event: IncomingEvent,
  detail: string | null,
): Promise<void> {
  const { transaction, at } = arrival
  const writer = transaction.in(account)
  const relatedSentMessageId = await sentMessageOf(writer, event, at)
  const message = received(arrival, event, relatedSentMessageId, detail)
  await writer.save(messages, { id: message.id }, message, null)
  await notify({ transaction, writer }, message, null, at)
  // In a fixed order to avoid deadlocks.
  for (const each of bound) await applyKeyword(transaction.in(each), event, arrival)
}

/** The accounts that a received message concerns. */
export interface Owners {
  /** The account that gets the message. */
  readonly account: AccountId
  /** The accounts for which a keyword in it holds. */
  readonly bound: readonly AccountId[]
}

/** Accounts for which one keyword holds: more would make the transaction too long for others. */
const boundMax = 1000

/**
 * Returns the owners of a message. It goes to the owner of the number that it arrived at, else to the
 * account of the message that it answers as the carrier says, else to the only account that sent from that
 * address within seven days. If several did, no one knows whom it answers: the installation's own account
 * gets it, and a keyword holds for all of them.
 */
export async function ownersOf(
  transaction: Transaction,
  { to, repliesTo }: Pick<IncomingEvent, 'to' | 'repliesTo'>,
  at: Instant,
): Promise<Owners> {
  const address = formats.sender.read(to)
  const number = address.ok ? await findNumber(transaction.everywhere, address.text) : null
  if (number !== null) return { account: number.account, bound: [number.account] }

  const senders = await transaction.everywhere.sendersFrom(
    address.ok ? address.text : to,
    at,
    boundMax,
  )
  const [only = defaultAccount, ...others] = senders
  const account = repliesTo?.account ?? (others.length === 0 ? only : defaultAccount)
  return { account, bound: [...new Set([...senders, account])].toSorted() }
}

/** Returns the message that it answers, as named by the carrier; else by its addresses. */
async function sentMessageOf(
  writer: Writer,
  { repliesTo, from, to }: IncomingEvent,
  at: Instant,
): Promise<string | null> {
  // Another account may have a message with the same identifier.
  const named = repliesTo?.account === writer.account ? repliesTo.messageId : null
  if (named !== null && (await writer.find(messages, { id: named })) !== null) return named
  return relatedMessage(writer, { from: to, to: from }, at)
}

/** Returns the message of an event. */
export function received(
  { carrier, newId, at }: Pick<Arrival, 'carrier' | 'newId' | 'at'>,
  event: IncomingEvent,
  relatedSentMessageId: string | null,
  detail: string | null,
): Message {
  const date = timestamp(at)
  const body = cut(event.body)
  const isCut = body.length < event.body.length
  const status = statusOf({ type: 'RECEIVED', detail: detail ?? (isCut ? 'CUT' : null) })
  return {
    ...blankMessage,
    id: newId(messages.noun),
    type: 'RECEIVED',
    from: event.from,
    to: event.to,
    body,
    encoding: event.encoding,
    protocolId: event.protocolId,
    messageClass: event.messageClass,
    numberOfParts: event.numberOfParts,
    creditCost: 0,
    submission: { id: newId('submission'), date },
    status,
    relatedSentMessageId,
    carrier,
    history: [{ status: status.id, date }],
    bodyErasedAt: null,
    createdAt: date,
    updatedAt: date,
  }
}

/** Truncates a text to the longest possible message: a refusal would lose all of it. */
function cut(body: string): string {
  const { maxLength } = messages.fields.body
  if (body.length <= maxLength) return body
  return Array.from(body).slice(0, maxLength).join('')
}
