import { defaultAccount, type AccountId } from '../../core/account.ts'
import type { IncomingEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { formats } from '../../core/declaration/format.ts'
import type { NewId } from '../../core/id.ts'
import type { Transaction, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { findNumber } from '../../collections/numbers.ts'
import { notify } from '../messages/stored-message.ts'
import { type KeywordReader, applyKeyword } from './keyword.ts'
import { relatedMessage } from '../messages/related-message.ts'
import { statusOf } from '../messages/status.ts'

/** The context of storing an incoming message. */
export interface Arrival {
  readonly transaction: Transaction
  /** The carrier that reported it. */
  readonly carrier: string
  readonly newId: NewId
  readonly wishOf: KeywordReader
  readonly at: Instant
}

/**
 * Stores a message from outside for the account that it belongs to, and notifies that account.
 * `detail` is that of the status RECEIVED.
 */
export async function storeIncoming(
  arrival: Arrival,
  event: IncomingEvent,
  detail: string | null = null,
): Promise<void> {
  const { transaction, at } = arrival
  if (await isRepetition(arrival, event)) return
  const account = await accountOf(transaction, event)
  const writer = transaction.in(account)

  const relatedSentMessageId = await sentMessageOf(writer, event, at)
  const message = received(arrival, event, { relatedSentMessageId, detail })
  await writer.save(messages, { id: message.id }, message, null)
  await notify(writer, message, at)
  await applyKeyword(writer, event, arrival)
}

/**
 * The time for which a message is recognized by its carrier's identifier: carriers repeat for a
 * day.
 */
const knownAgainMs = 24 * 3_600_000

/** Zero parts, so that it never equals a message in parts. */
const whole = { total: 0, part: 1, protocolId: 0, joined: true }

const nothing = {
  dataCoding: 0,
  defaultCharset: 'GSM',
  locking: null,
  single: null,
  octets: '',
} as const

/** Returns whether a message came before, by its carrier's identifier. Remembers a new one. */
async function isRepetition(
  { transaction, carrier, at }: Arrival,
  { from, to, carrierMessageId = null }: IncomingEvent,
): Promise<boolean> {
  if (carrierMessageId === null) return false
  const { incomingParts } = transaction
  const known = { ...whole, carrier, from, to, reference: `id:${carrierMessageId}` }
  if ((await incomingParts.of(known)).length > 0) return true
  await incomingParts.keep({ ...known, content: nothing, expiresAt: at + knownAgainMs })
  return false
}

/**
 * Returns the account of a message: the owner of the number that it arrived at, else the sender of
 * the message that it answers, else the last sender from that address.
 */
async function accountOf(
  transaction: Transaction,
  { to, repliesTo }: IncomingEvent,
): Promise<AccountId> {
  const address = formats.sender.read(to)
  const number = address.ok ? await findNumber(transaction.everywhere, address.text) : null
  const account = number?.account ?? repliesTo?.account
  return account ?? (await transaction.everywhere.lastSender(to)) ?? defaultAccount
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

function received(
  { carrier, newId, at }: Arrival,
  event: IncomingEvent,
  {
    relatedSentMessageId,
    detail,
  }: { readonly relatedSentMessageId: string | null; readonly detail: string | null },
): Message {
  const date = timestamp(at)
  const body = cut(event.body)
  const isCut = body.length < event.body.length
  const status = statusOf({ type: 'RECEIVED', detail: detail ?? (isCut ? 'CUT' : null) })
  return {
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
    userSuppliedId: null,
    scheduledAt: null,
    validUntil: null,
    carrier,
    priority: 1,
    networkCode: null,
    history: [{ status: status.id, date }],
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
