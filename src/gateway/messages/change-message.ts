import type { Encoding } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../../core/declaration/rules.ts'
import type { Writer } from '../../core/ports/store.ts'
import type { QueueKey } from '../../core/ports/submissions.ts'
import type { Message } from '../../collections/messages.ts'
import type { KnownNumber } from '../../collections/numbers.ts'
import { chooseEncoding } from '../../encoding/choose-encoding.ts'
import {
  carrierFaults,
  complete,
  contentErrors,
  hiddenFields,
  maxPartsOf,
  partsOf,
  sameContent,
  withCost,
  type ContentDefaults,
  timeFaults,
} from './content.ts'
import { dueAt, defaultsFrom, refuseForeignNumber, senderNumber } from './create-message.ts'
import { reserveAgain } from '../credits/credits.ts'
import {
  asMessage,
  asProposed,
  recordStatus,
  type StoredMessage,
  advance,
} from './stored-message.ts'
import { readQueueName, enqueueMessage, queueKeyOf } from '../submission/queue-key.ts'

/** A write on an existing message, with its context. */
export interface MessageUpdate {
  readonly change: Change
  /** The message before the change. */
  readonly before: Message
  readonly context: RuleContext
  readonly defaults: ContentDefaults
}

/**
 * Changes a message. A request without a difference changes nothing, in any state. Other content is
 * accepted while the message waits, and refused with 409 after that.
 */
export async function changeMessage(update: MessageUpdate): Promise<Ruled> {
  const { change, before, context, defaults } = update
  const hidden = hiddenFields(change.hiddenAfter)
  const wanted = await wantedMessage(update)
  if (sameContent(wanted, before)) return { instance: before, hidden }
  const asked = await senderNumber(wanted, context, defaults)
  refuseForeignNumber(asked, wanted, context, defaults)

  const now = context.clock.now()
  const place = await dequeueMessage(before, context.writer, 'changed')
  refuseOtherWay(wanted, before)
  const { message: routed, number, pinned } = await onItsWay(update, wanted, place)
  const message = { ...routed, numberOfParts: partsOf(routed, defaults) }
  const named = message.carrier === before.carrier ? null : message.carrier
  const faults = [
    ...contentErrors(message, maxPartsOf(hidden), defaults),
    ...(await carrierFaults(named, context.transaction, defaults)),
    ...timeFaults(message, before, now),
  ]
  if (faults.length > 0) throw invalidBody(faults)

  const again = queueKeyOf(message, number, pinned)
  const priced = await withCost(message, context, defaults)
  if (priced.creditCost !== before.creditCost) {
    await reserveAgain(priced, { ...context, account: context.writer.account, at: now })
  }
  const kept = { message: priced, hidden }
  return { instance: await submitAgain(kept, again, context, now), hidden }
}

/**
 * Returns the requested message with defaults for all that the request leaves open. A carrier that
 * it leaves open stays.
 */
export async function wantedMessage(update: MessageUpdate): Promise<Message> {
  const { change, before, context, defaults } = update
  const after = asProposed(change.after)
  const encoding = isDerivedAgain(update) ? null : after.encoding
  const named = namedCarrier(update)
  if (named !== null) {
    const carrier = named ?? before.carrier
    return complete({ ...after, encoding, carrier }, { ...defaults, routeOf: () => null })
  }
  const number = await senderNumber(after, context, defaults)
  return complete({ ...after, encoding, carrier: null }, defaultsFrom(number, defaults))
}

/** Dequeues a message, so that it is not sent unchanged. Throws a conflict if it is too late. */
export async function dequeueMessage(
  before: Message,
  writer: Writer,
  verb: string,
): Promise<QueueKey> {
  const { id, status } = before
  const waits = status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
  const place = waits ? await writer.dequeue(id) : null
  if (place !== null) return place
  const state = waits ? 'being handed to its carrier' : status.type
  throw new Problem(
    'conflict',
    `The message is ${state}: only one that waits to be sent can be ${verb}.`,
  )
}

/**
 * Returns whether the encoding is chosen again: for a PATCH of the body alone, unless the client
 * had chosen it.
 */
export function isDerivedAgain({ change, before, defaults }: MessageUpdate): boolean {
  const { method, body } = change
  return (
    method === 'PATCH' &&
    Object.hasOwn(body, 'body') &&
    !Object.hasOwn(body, 'encoding') &&
    before.encoding === usualEncoding(before, defaults)
  )
}

function usualEncoding(
  { body, carrier }: Message,
  { nationalLanguages: languages, schemeOf }: ContentDefaults,
): Encoding {
  return chooseEncoding(body, { encoding: null, languages, scheme: schemeOf(carrier) }).encoding
}

/** Returns the carrier that a request names; null: route it again; undefined: left open. */
function namedCarrier({ change, before }: MessageUpdate): string | null | undefined {
  const { carrier } = asMessage(change.after)
  if (change.method !== 'PATCH') return carrier ?? undefined
  if (Object.hasOwn(change.body, 'carrier')) return carrier
  return before.type === 'SENT' ? undefined : before.carrier
}

/** A message with its carrier, and the reason for that carrier. */
interface Decided {
  readonly message: Message
  readonly number: KnownNumber | null
  /** True if the message or its sender's number names the carrier. */
  readonly pinned: boolean
}

/**
 * Routes a changed message: another sender or recipient may need another carrier, unless the
 * message names one.
 */
async function onItsWay(update: MessageUpdate, wanted: Message, place: QueueKey): Promise<Decided> {
  const { change, before, context, defaults } = update
  const number = await senderNumber(wanted, context, defaults)
  const wasPinned = readQueueName(place.lane).pinned
  const named = namedCarrier(update)
  if (typeof named === 'string') {
    return { message: wanted, number, pinned: wasPinned || named !== before.carrier }
  }
  const goesElsewhere = wanted.from !== before.from || wanted.to !== before.to
  if (named === undefined && before.carrier !== null) {
    if (!goesElsewhere) return { message: wanted, number, pinned: wasPinned }
    const usual = await senderNumber(before, context, defaults)
    const isOwn = wasPinned && usual?.carrier !== before.carrier
    if (isOwn && change.method === 'PATCH') return { message: wanted, number, pinned: true }
  }
  const carrier = defaultsFrom(number, defaults).routeOf(wanted.to)
  return { message: { ...wanted, carrier }, number, pinned: (number?.carrier ?? null) !== null }
}

/** Refuses to turn a sent message into a received one, or an accepted one into a scheduled one. */
function refuseOtherWay(wanted: Message, before: Message): void {
  if (wanted.type !== before.type) {
    throw new Problem('conflict', `The type of a message cannot change: it is ${before.type}.`)
  }
  const { scheduledAt } = wanted
  if (
    before.status.type === 'ACCEPTED' &&
    scheduledAt !== null &&
    scheduledAt !== before.scheduledAt
  ) {
    throw new Problem('conflict', 'An ACCEPTED message cannot be scheduled.')
  }
}

/** Enqueues a changed message again. It becomes ACCEPTED if it is no longer scheduled. */
async function submitAgain(
  { message, hidden }: Pick<StoredMessage, 'message' | 'hidden'>,
  place: QueueKey,
  context: RuleContext,
  now: Instant,
): Promise<Message> {
  const accepted =
    message.scheduledAt === null ? advance(message, { type: 'ACCEPTED', detail: null }, now) : null
  if (accepted !== null) await recordStatus(context, accepted, hidden, now)
  const due = message.status.type === 'SCHEDULED' ? dueAt(message.scheduledAt, now) : now
  await enqueueMessage(context.writer, message, place, due)
  return accepted ?? message
}
