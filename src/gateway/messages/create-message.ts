import { correlationText } from '../../core/correlation.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message, ProposedMessage } from '../../collections/messages.ts'
import { reserve } from '../credits/credits.ts'
import { type KnownNumber, findNumber } from '../../collections/numbers.ts'
import { enqueueMessage, queueKeyOf } from '../submission/queue-key.ts'
import {
  carrierFaults,
  complete,
  contentErrors,
  hiddenFields,
  maxPartsOf,
  withCost,
  type ContentDefaults,
  timeFaults,
  type MessageTimes,
} from './content.ts'
import { asProposed, notify, statusOf, type StatusStep } from './stored-message.ts'
import { relatedMessage } from './related-message.ts'

/** Creates a message: enqueues one that is to be sent, only stores one that was received. */
export async function createMessage(
  change: Change,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<Ruled> {
  const now = context.clock.now()
  const asked = asProposed(change.after)
  const number = await senderNumber(asked, context, defaults)
  const wanted = complete(asked, defaultsFrom(number, defaults))
  if (wanted.type === 'RECEIVED' && !context.principal.administrator) {
    throw new Problem('forbidden', 'Only a key with the scope admin imports received messages.')
  }
  refuseForeignNumber(number, asked, context, defaults)
  const faults = [
    ...contentErrors(wanted, maxPartsOf(change.hiddenAfter), defaults),
    ...(await carrierFaults(asked.carrier, context.transaction, defaults)),
    ...(wanted.type === 'SENT' ? timeFaults(wanted, null, now) : importFaults(wanted)),
  ]
  if (faults.length > 0) throw invalidBody(faults)

  const hidden = hiddenFields(withCorrelation(change.hiddenAfter, context))
  if (wanted.type !== 'SENT') {
    return { instance: await importReceived(wanted, context, now), hidden }
  }
  defaults.waiting?.add(context.writer.account, 1, waitingMax(context))
  const sending = { number, isNamed: asked.carrier !== null, hidden }
  return takeForSending(await withCost(wanted, context, defaults), sending, context, now)
}

/** A message of a broadcast has the correlation of its broadcast already. */
function withCorrelation(
  hidden: JsonObject | null,
  { correlation }: RuleContext,
): JsonObject | null {
  if (correlation === undefined) return hidden
  return { ...hidden, correlation: correlationText(correlation) }
}

/** Returns how many messages of an account may wait for a carrier. */
export function waitingMax({ principal }: Pick<RuleContext, 'principal'>): number {
  return principal.limits?.waitingMessages ?? Infinity
}

/** The inputs of sending a new message, besides its fields. */
interface Sending {
  readonly number: KnownNumber | null
  /** True if the request names its carrier. */
  readonly isNamed: boolean
  readonly hidden: JsonObject | null
}

async function takeForSending(
  wanted: Message,
  { number, isNamed, hidden }: Sending,
  context: RuleContext,
  now: Instant,
): Promise<Ruled> {
  const { writer } = context
  const { scheduledAt } = wanted
  const type = scheduledAt === null ? 'ACCEPTED' : 'SCHEDULED'
  const message = begun(wanted, { type, detail: null }, context)
  const pinned = isNamed || (number !== null && number.carrier !== null)
  const entry = await reserve(message, { ...context, account: writer.account, at: now })
  const place = queueKeyOf(message, number, pinned)
  // Concurrently: they share a round trip while others wait for the credits.
  await Promise.all([
    entry(),
    enqueueMessage(writer, message, place, dueAt(scheduledAt, now)),
    notify(context, message, hidden, now),
  ])
  return { instance: message, hidden }
}

/** Imports a received message. It causes no notification: the receivers have known it for long. */
async function importReceived(
  wanted: Message,
  context: RuleContext,
  now: Instant,
): Promise<Message> {
  const { from, to } = wanted
  const message = begun(wanted, { type: 'RECEIVED', detail: null }, context)
  const relatedSentMessageId = await relatedMessage(context.writer, { from: to, to: from }, now)
  return { ...message, relatedSentMessageId }
}

/** Returns the faults of an imported message's times: it has none. */
export function importFaults({ scheduledAt, validUntil }: MessageTimes): readonly InputError[] {
  const detail = 'is for messages to be sent'
  return [
    ...(scheduledAt === null ? [] : [{ pointer: '/scheduledAt', detail }]),
    ...(validUntil === null ? [] : [{ pointer: '/validUntil', detail }]),
  ]
}

/** Returns a message with its first status. */
function begun(wanted: Message, step: StatusStep, { newId }: RuleContext): Message {
  const date = wanted.createdAt
  const status = statusOf(step)
  return {
    ...wanted,
    submission: { id: newId('submission'), date },
    status,
    relatedSentMessageId: null,
    networkCode: null,
    history: [{ status: status.id, date }],
    bodyErasedAt: null,
  }
}

/** Returns when a message is due: at its scheduled time, or now. */
export function dueAt(scheduledAt: string | null, now: Instant): Instant {
  return (scheduledAt === null ? null : parseTimestamp(scheduledAt)) ?? now
}

/**
 * Returns the number that a message is sent from; null if its sender is not a number, or the
 * message is received.
 */
export async function senderNumber(
  { type, from }: Pick<ProposedMessage, 'type' | 'from'>,
  { transaction }: RuleContext,
  { defaultSender }: ContentDefaults,
): Promise<KnownNumber | null> {
  return type === 'SENT' ? findNumber(transaction.everywhere, from || defaultSender) : null
}

/**
 * Throws `forbidden` for a number of another account. If only numbers may be senders, throws it for other
 * senders too. The default sender is not exempt if it is another account's number.
 */
export function refuseForeignNumber(
  number: KnownNumber | null,
  { type, from }: Pick<ProposedMessage, 'type' | 'from'>,
  { writer }: Pick<RuleContext, 'writer'>,
  { senders, defaultSender }: ContentDefaults,
): void {
  if (number?.account === writer.account) return
  const isOpen = senders === 'any' || type !== 'SENT' || (from || defaultSender) === defaultSender
  if (number === null && isOpen) return
  const detail =
    number === null
      ? 'must be a number of the account: only registered senders are allowed'
      : 'is the number of another account: use another sender'
  throw new Problem('forbidden', `/from ${detail}.`, { errors: [{ pointer: '/from', detail }] })
}

/** Returns the defaults of messages from a number: its carrier precedes the operator's. */
export function defaultsFrom(
  number: KnownNumber | null,
  defaults: ContentDefaults,
): ContentDefaults {
  const carrier = number?.carrier ?? null
  return carrier === null ? defaults : { ...defaults, routeOf: () => carrier }
}
