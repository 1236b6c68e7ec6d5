import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Transaction, Writer } from '../../core/ports/store.ts'
import {
  messages,
  notificationRecord,
  type Message,
  type ProposedMessage,
} from '../../collections/messages.ts'
import type { AccountId } from '../../core/account.ts'
import type { OutgoingMessage } from '../../core/ports/carrier.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { inMicros } from '../../collections/credits/credit-movements.ts'
import { noteTransition } from './transitions.ts'

/** A message with its hidden fields and the text that it was parsed from. */
export interface StoredMessage {
  readonly message: Message
  readonly hidden: JsonObject | null
  readonly doc: string
}

/** The transaction in which a message is written, and its writer there. */
export interface MessageWriting {
  readonly transaction: Transaction
  readonly writer: Writer
}

/** Reads a message; null if it does not exist. */
export async function findMessage(writer: Writer, id: string): Promise<StoredMessage | null> {
  const stored = await writer.find(messages, { id })
  return stored === null ? null : readMessage(stored)
}

/** Parses a stored message. */
export function readMessage(stored: Stored): StoredMessage {
  return {
    message: JSON.parse(stored.doc) as Message,
    hidden: stored.hidden === null ? null : (JSON.parse(stored.hidden) as JsonObject),
    doc: stored.doc,
  }
}

/** Converts a client's proposal that the engine has checked. */
export function asProposed(instance: JsonObject): ProposedMessage {
  return instance as ProposedMessage
}

/** Converts an instance that the engine has checked. */
export function asMessage(instance: JsonObject): Message {
  return instance as Message
}

/**
 * Saves a message and, in the same commit, a notification for each of `statuses`: the message as it
 * was at each transition, in order.
 */
export async function saveMessage(
  writing: MessageWriting,
  kept: StoredMessage,
  statuses: readonly Message[],
  at: Instant,
): Promise<StoredMessage> {
  const { message, hidden } = kept
  const { doc } = await writing.writer.save(messages, { id: message.id }, message, hidden)
  for (const status of statuses) await recordStatus(writing, status, hidden, at)
  return { message, hidden, doc }
}

/** Notifies a transition of a message. Counts it if the message belongs to a broadcast. */
export async function recordStatus(
  writing: MessageWriting,
  message: Message,
  hidden: JsonObject | null,
  at: Instant,
): Promise<void> {
  await notify(writing, message, hidden, at)
  const { writer } = writing
  const tally = hidden?.['tally']
  if (typeof tally !== 'string') return
  const [before] = message.history.at(-2)?.status.split('.') ?? []
  if (before !== undefined) await writer.addToCounter(tally, before, -1)
  await writer.addToCounter(tally, message.status.type, 1)
}

/** Appends a notification of a message's present status. */
export function notify(
  { transaction, writer }: MessageWriting,
  message: Message,
  hidden: JsonObject | null,
  at: Instant,
): Promise<void> {
  const correlation = correlationOf(hidden)
  noteTransition(transaction, { message, correlation })
  return writer.notify({
    type: message.type,
    status: message.status.type,
    messageId: message.id,
    at,
    record: JSON.stringify(notificationRecord(message)),
    parts: message.numberOfParts,
    costMicros: inMicros(message.creditCost),
    ...(correlation === null ? {} : { correlation }),
    ...(message.carrier === null ? {} : { carrier: message.carrier }),
  })
}

/** Returns the request that created a message, as `correlationText`; null if none is known. */
export function correlationOf(hidden: JsonObject | null): string | null {
  const correlation = hidden?.['correlation']
  return typeof correlation === 'string' ? correlation : null
}

/** Converts a message for its carrier. */
export function outgoingMessage(
  account: AccountId,
  { message, hidden }: Pick<StoredMessage, 'message' | 'hidden'>,
): OutgoingMessage {
  return {
    account,
    id: message.id,
    from: message.from,
    to: message.to,
    body: message.body,
    encoding: message.encoding,
    protocolId: message.protocolId,
    messageClass: message.messageClass,
    numberOfParts: message.numberOfParts,
    priority: message.priority,
    userSuppliedId: message.userSuppliedId,
    validUntil: validityEnd(message),
    correlation: correlationOf(hidden),
  }
}

/** Returns when the validity of a message ends; null if the carrier decides. */
export function validityEnd({ validUntil }: Message): Instant | null {
  return validUntil === null ? null : parseTimestamp(validUntil)
}
