import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Writer } from '../../core/ports/store.ts'
import {
  messages,
  notificationRecord,
  type Message,
  type ProposedMessage,
} from '../../collections/messages.ts'
import type { AccountId } from '../../core/account.ts'
import type { OutgoingMessage } from '../../core/ports/carrier.ts'
import { parseTimestamp } from '../../core/timestamp.ts'

/** A message with its hidden fields and the text that it was parsed from. */
export interface StoredMessage {
  readonly message: Message
  readonly hidden: JsonObject | null
  readonly doc: string
}

/** Reads a message; null if it does not exist. */
export async function findMessage(writer: Writer, id: string): Promise<StoredMessage | null> {
  const stored = await writer.find(messages, { id })
  return stored === null ? null : readMessage(stored)
}

/** Reads a message from how the store keeps it. */
export function readMessage(stored: Stored): StoredMessage {
  return {
    message: JSON.parse(stored.doc) as Message,
    hidden: stored.hidden === null ? null : (JSON.parse(stored.hidden) as JsonObject),
    doc: stored.doc,
  }
}

/** Takes what a client proposes, checked by the engine, as a message to be. */
export function asProposed(instance: JsonObject): ProposedMessage {
  return instance as ProposedMessage
}

/** Takes an instance of the collection, checked by the engine, as a message. */
export function asMessage(instance: JsonObject): Message {
  return instance as Message
}

/**
 * Saves what a message became, with one notification for each of `statuses`: the message as it was
 * when it took that status, in order. They are of one commit.
 */
export async function saveMessage(
  writer: Writer,
  kept: StoredMessage,
  statuses: readonly Message[],
  at: Instant,
): Promise<StoredMessage> {
  const { message, hidden } = kept
  const { doc } = await writer.save(messages, { id: message.id }, message, hidden)
  for (const status of statuses) await recordStatus(writer, status, hidden, at)
  return { message, hidden, doc }
}

/** Notifies a step of a message, and counts it where a broadcast has made the message. */
export async function recordStatus(
  writer: Writer,
  message: Message,
  hidden: JsonObject | null,
  at: Instant,
): Promise<void> {
  await notify(writer, message, at)
  const tally = hidden?.['tally']
  if (typeof tally !== 'string') return
  const [before] = message.history.at(-2)?.status.split('.') ?? []
  if (before !== undefined) await writer.addToCounter(tally, before, -1)
  await writer.addToCounter(tally, message.status.type, 1)
}

/** Appends the notification of a message's present status. */
export function notify(writer: Writer, message: Message, at: Instant): Promise<void> {
  return writer.notify({
    type: message.type,
    status: message.status.type,
    messageId: message.id,
    at,
    record: JSON.stringify(notificationRecord(message)),
  })
}

/** A message as its carrier is given it. */
export function outgoingMessage(account: AccountId, message: Message): OutgoingMessage {
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
    validUntil: validityEnd(message),
  }
}

/** When the validity of a message ends, or null where the carrier decides. */
export function validityEnd({ validUntil }: Message): Instant | null {
  return validUntil === null ? null : parseTimestamp(validUntil)
}
