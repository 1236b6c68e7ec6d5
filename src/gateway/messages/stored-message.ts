import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Stored, Transaction, Writer } from '../../core/ports/store.ts'
import type { AccountId } from '../../core/account.ts'
import type { OutgoingMessage } from '../../core/ports/carrier.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { mayFollow } from '../../core/declaration/collection.ts'
import {
  messages,
  notificationRecord,
  type Message,
  type ProposedMessage,
  messageStates,
  type StatusType,
} from '../../collections/messages.ts'
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

/** The history entry of a message that is submitted again and may arrive twice. */
export const resubmitted = 'ACCEPTED.RESUBMITTED'

/** Returns how often a message was submitted again after a submit without a known outcome. */
export function resubmissions({ history }: Pick<Message, 'history'>): number {
  return history.filter(({ status }) => status === resubmitted).length
}

/** A transition of a message: the next status type, and its reason. */
export interface StatusStep {
  readonly type: StatusType
  readonly detail: string | null
  /** The carrier's code if the carrier reports it; null if it has none. */
  readonly code?: string | null
}

/**
 * Applies a transition. Returns null if `messageStates` does not allow it: the report came late, or
 * again. Neither `updatedAt` nor the dates of `history` ever go back, even if the clock does.
 */
export function advance(message: Message, step: StatusStep, at: Instant): Message | null {
  if (!mayFollow(messageStates, message.status.type, step.type)) return null
  const status = statusOf(step)
  return { ...withEntry(message, status.id, at, step.code), status }
}

/**
 * Returns the status of a transition. Its `id` is `<type>.<detail>`; the detail may be the literal
 * null.
 */
export function statusOf(step: StatusStep): Message['status'] {
  return { id: `${step.type}.${step.detail}`, type: step.type }
}

/**
 * Adds an entry to a message's history without changing its status. A code other than undefined comes
 * from a report of the carrier.
 */
export function withEntry(
  message: Message,
  status: string,
  at: Instant,
  code?: string | null,
): Message {
  const changed = touched(message, at)
  const entry = { status, date: changed.updatedAt, ...(code ? { code } : {}) }
  const history = [...message.history, entry]
  return code === undefined ? { ...changed, history } : { ...changed, networkCode: code, history }
}

/** The most intermediate reports in the history of a message. */
const reportsMax = 20

/**
 * Adds an intermediate report of the carrier to the history. Returns null if the message is no longer
 * on its way, or the report came before.
 */
export function withReport(
  message: Message,
  { detail, code }: { readonly detail: string; readonly code: string | null },
  at: Instant,
): Message | null {
  if (message.status.type !== 'SENT') return null
  const status = `SENT.${detail}`
  const isKnown = message.history.some((entry) => {
    return entry.status === status && (entry.code ?? null) === code
  })
  const reports = message.history.filter(({ status: id }) => id.startsWith('SENT.')).length
  return isKnown || reports > reportsMax ? null : withEntry(message, status, at, code)
}

/** Returns the message with the time of this change. */
export function touched(message: Message, at: Instant): Message {
  const now = timestamp(at)
  return { ...message, updatedAt: now > message.updatedAt ? now : message.updatedAt }
}
