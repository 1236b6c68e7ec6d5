import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidBody, Problem, type InputError } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message } from '../../collections/messages.ts'
import {
  carrierFaults,
  complete,
  contentFaults,
  keptBeside,
  maxPartsOf,
  withCost,
  type ContentDefaults,
} from './content.ts'
import { reserve } from '../credits/credits.ts'
import type { DirectWay, Ticket } from '../submission/direct-way.ts'
import { asMessage, notify, type KeptMessage } from './stored-message.ts'
import type { KnownNumber } from '../../collections/numbers.ts'
import { makeClaimed, makeDue, placeOf } from '../submission/queue-key.ts'
import { relatedMessage } from './related-message.ts'
import { defaultsFrom, refuseAnothers, senderNumber } from './sender-number.ts'
import { statusOf, type Step } from './status.ts'
import { timeFaults, type Times } from './times.ts'

/**
 * Takes in a new message: one to be sent becomes due, or goes at once where there is a way for it. A
 * received one is only put on record.
 */
export async function createMessage(
  change: Change,
  context: RuleContext,
  defaults: ContentDefaults,
  direct: DirectWay | null = null,
): Promise<Ruled> {
  const now = context.clock.now()
  const asked = asMessage(change.after)
  const number = await senderNumber(asked, context, defaults)
  const wanted = complete(asked, defaultsFrom(number, defaults))
  if (wanted.type === 'RECEIVED' && !context.principal.administrator) {
    throw new Problem('forbidden', 'Only a key with the scope admin imports received messages.')
  }
  refuseAnothers(number, context)
  const faults = [
    ...contentFaults(wanted, maxPartsOf(change.hiddenAfter), defaults),
    ...(await carrierFaults(asked.carrier, context.transaction, defaults)),
    ...(wanted.type === 'SENT' ? timeFaults(wanted, null, now) : importFaults(wanted)),
  ]
  if (faults.length > 0) throw invalidBody(faults)

  const hidden = keptBeside(change.hiddenAfter)
  if (wanted.type !== 'SENT') {
    return { instance: await importReceived(wanted, context, now), hidden }
  }
  const sending = { number, isNamed: asked.carrier !== null, hidden, direct }
  return takeForSending(await withCost(wanted, context, defaults), sending, context, now)
}

/** What a message to be sent is taken in with. */
interface Sending {
  readonly number: KnownNumber | null
  /** The request names its carrier. */
  readonly isNamed: boolean
  readonly hidden: JsonObject | null
  readonly direct: DirectWay | null
}

async function takeForSending(
  wanted: Message,
  { number, isNamed, hidden, direct }: Sending,
  context: RuleContext,
  now: Instant,
): Promise<Ruled> {
  const { writer } = context
  const { scheduledAt } = wanted
  const type = scheduledAt === null ? 'ACCEPTED' : 'SCHEDULED'
  const message = begun(wanted, { type, detail: null }, context)
  const pinned = isNamed || (number !== null && number.carrier !== null)
  const entry = await reserve(message, { ...context, account: writer.account, at: now })
  const place = placeOf(message, number, pinned)
  const ticket = scheduledAt === null ? (direct?.take(place) ?? null) : null
  const saved = ticket && goAtOnce({ message, hidden }, ticket, context)
  // Together, so that they share a round trip while others wait for the credits.
  await Promise.all([
    entry(),
    ticket === null
      ? makeDue(writer, message, place, dueAt(scheduledAt, now))
      : makeClaimed(writer, message, place, ticket.claimant),
    notify(writer, message, now),
  ])
  return { instance: message, hidden, ...(saved && { saved }) }
}

/** Has a message handed over as soon as it is durable. Returns what must be told its text. */
function goAtOnce(
  made: Omit<KeptMessage, 'doc'>,
  ticket: Ticket,
  { writer, transaction }: RuleContext,
): NonNullable<Ruled['saved']> {
  let doc = ''
  transaction.onEnd((isDurable) => {
    const handOver = { account: writer.account, kept: { ...made, doc }, attempt: 0 }
    ticket.ended(isDurable ? handOver : null)
  })
  return (stored) => {
    doc = stored.doc
  }
}

/** An import tells nobody: what it brings is long known to the receivers. */
async function importReceived(
  wanted: Message,
  context: RuleContext,
  now: Instant,
): Promise<Message> {
  const { from, to } = wanted
  const message = begun(wanted, { type: 'RECEIVED', detail: null }, context)
  const relatedSentMessageId =
    from === null ? null : await relatedMessage(context.writer, { from: to, to: from }, now)
  return { ...message, relatedSentMessageId }
}

/** The faults of the times of a message that is put on record: it has none. */
export function importFaults({ scheduledAt, validUntil }: Times): readonly InputError[] {
  const detail = 'is for messages to be sent'
  return [
    ...(scheduledAt === null ? [] : [{ pointer: '/scheduledAt', detail }]),
    ...(validUntil === null ? [] : [{ pointer: '/validUntil', detail }]),
  ]
}

/** A message with its first status. */
function begun(wanted: Message, step: Step, { newId }: RuleContext): Message {
  const date = wanted.createdAt
  const status = statusOf(step)
  return {
    ...wanted,
    submission: { id: newId('submission'), date },
    status,
    relatedSentMessageId: null,
    history: [{ status: status.id, date }],
  }
}

/** When a message is due: at the time it is scheduled for, or now. */
export function dueAt(scheduledAt: string | null, now: Instant): Instant {
  return (scheduledAt === null ? null : parseTimestamp(scheduledAt)) ?? now
}
