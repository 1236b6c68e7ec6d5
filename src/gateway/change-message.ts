import type { Encoding } from '../core/carrier.ts'
import type { Instant } from '../core/clock.ts'
import { invalidBody, Problem } from '../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../core/rules.ts'
import type { Writer } from '../core/store.ts'
import type { Message } from '../collections/messages.ts'
import { chooseForm } from '../encoding/choose-form.ts'
import {
  carrierFaults,
  complete,
  contentFaults,
  keptBeside,
  maxPartsOf,
  sameContent,
  withCost,
  type ContentDefaults,
} from './content.ts'
import { dueAt } from './create-message.ts'
import { asMessage, notify } from './kept-message.ts'
import { defaultsFrom, refuseAnothers, senderNumber } from './sender-number.ts'
import { advance } from './status.ts'
import { timeFaults } from './times.ts'

/** A write on a message that exists, with what decides it. */
export interface Update {
  readonly change: Change
  /** The instance that the change is of. */
  readonly before: Message
  readonly context: RuleContext
  readonly defaults: ContentDefaults
}

/**
 * Changes a message. What says the same again changes nothing, whatever became of the message
 * meanwhile; another content is taken while the message waits, and is refused with 409 after that.
 */
export async function changeMessage(update: Update): Promise<Ruled> {
  const { change, before, context, defaults } = update
  const hidden = keptBeside(change.hiddenAfter)
  const wanted = await wantedMessage(update)
  if (sameContent(wanted, before)) return { instance: before, hidden }
  refuseAnothers(await senderNumber(wanted, context, defaults), context)

  const now = context.clock.now()
  await takeBack(before, context.writer, 'changed')
  refuseOtherWay(wanted, before)
  const named = wanted.carrier === before.carrier ? null : wanted.carrier
  const faults = [
    ...contentFaults(wanted, maxPartsOf(hidden), defaults),
    ...(await carrierFaults(named, context.transaction, defaults)),
    ...timeFaults(wanted, before, now),
  ]
  if (faults.length > 0) throw invalidBody(faults)

  const priced = await withCost(wanted, context, defaults)
  return { instance: await submitAgain(priced, context.writer, now), hidden }
}

/** The message as the request wants it, with what the request leaves open filled in. */
export async function wantedMessage(update: Update): Promise<Message> {
  const { change, before, context, defaults } = update
  const after = asMessage(change.after)
  const encoding = isDerivedAnew(change, before, defaults) ? null : after.encoding
  const carrier = await wantedCarrier(update)
  const number = carrier === null ? await senderNumber(after, context, defaults) : null
  return complete({ ...after, encoding, carrier }, defaultsFrom(number, defaults))
}

/**
 * Takes a message out of the submissions, so that it is not sent as it is. Throws a conflict where
 * that is too late.
 */
export async function takeBack(before: Message, writer: Writer, verb: string): Promise<void> {
  const { id, status } = before
  const waits = status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
  if (waits && (await writer.withdraw(id))) return
  const state = waits ? 'being handed to its carrier' : status.type
  throw new Problem(
    'conflict',
    `The message is ${state}: only one that waits to be sent can be ${verb}.`,
  )
}

/** A PATCH of the body alone chooses the encoding again, unless another than the usual one was asked for. */
export function isDerivedAnew(
  { method, body }: Change,
  before: Message,
  defaults: ContentDefaults,
): boolean {
  return (
    method === 'PATCH' &&
    Object.hasOwn(body, 'body') &&
    !Object.hasOwn(body, 'encoding') &&
    before.encoding === usualEncoding(before.body, defaults)
  )
}

function usualEncoding(body: string, { nationalLanguages }: ContentDefaults): Encoding {
  return chooseForm(body, { encoding: null, languages: nationalLanguages }).encoding
}

/**
 * The carrier that a request asks for, null for that of the sender. One that it leaves open stays as
 * it was decided, whatever became of the number since, unless the message gets another sender.
 */
async function wantedCarrier({
  change,
  before,
  context,
  defaults,
}: Update): Promise<string | null> {
  const { from, carrier } = asMessage(change.after)
  const isOpen =
    change.method === 'PATCH' ? !Object.hasOwn(change.body, 'carrier') : carrier === null
  if (!isOpen) return carrier
  if ((from ?? defaults.defaultSender) === before.from) return before.carrier
  if (change.method === 'PUT') return null
  const number = await senderNumber(before, context, defaults)
  const usual = defaultsFrom(number, defaults).defaultCarrier
  return before.carrier === usual ? null : before.carrier
}

/** What was sent is never received, and what was accepted is not scheduled any more. */
function refuseOtherWay(wanted: Message, before: Message): void {
  if (wanted.type !== before.type) {
    throw new Problem('conflict', `The message is ${before.type}, which does not change.`)
  }
  const { scheduledAt } = wanted
  if (
    before.status.type === 'ACCEPTED' &&
    scheduledAt !== null &&
    scheduledAt !== before.scheduledAt
  ) {
    throw new Problem('conflict', 'The message is ACCEPTED: it cannot be scheduled any more.')
  }
}

/** Makes a changed message due again; one that is not scheduled any more becomes ACCEPTED. */
async function submitAgain(message: Message, writer: Writer, now: Instant): Promise<Message> {
  const accepted =
    message.scheduledAt === null ? advance(message, { type: 'ACCEPTED', detail: null }, now) : null
  if (accepted !== null) await notify(writer, accepted, now)
  const due = message.status.type === 'SCHEDULED' ? dueAt(message.scheduledAt, now) : now
  await writer.submit(message.id, due)
  return accepted ?? message
}
