import type { Instant } from '../core/clock.ts'
import { invalidBody, Problem } from '../core/problem.ts'
import type { Change, RuleContext, Ruled } from '../core/rules.ts'
import type { Writer } from '../core/store.ts'
import type { Message } from '../collections/messages.ts'
import {
  complete,
  contentFaults,
  keptBeside,
  maxPartsOf,
  sameContent,
  type ContentDefaults,
} from './content.ts'
import { dueAt } from './create-message.ts'
import { chooseEncoding } from './encoding.ts'
import { asMessage, notify } from './kept-message.ts'
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
  const wanted = wantedMessage(update)
  if (sameContent(wanted, before)) return { instance: before, hidden }

  const now = context.clock.now()
  await takeBack(before, context.writer, 'changed')
  refuseOtherWay(wanted, before)
  const faults = [
    ...contentFaults(wanted, maxPartsOf(hidden), defaults),
    ...timeFaults(wanted, before, now),
  ]
  if (faults.length > 0) throw invalidBody(faults)

  return { instance: await submitAgain(wanted, context.writer, now), hidden }
}

/** The message as the request wants it, with what the request leaves open filled in. */
export function wantedMessage({ change, before, defaults }: Update): Message {
  const after = asMessage(change.after)
  return complete(isDerivedAnew(change, before) ? { ...after, encoding: null } : after, defaults)
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
function isDerivedAnew({ method, body }: Change, before: Message): boolean {
  return (
    method === 'PATCH' &&
    Object.hasOwn(body, 'body') &&
    !Object.hasOwn(body, 'encoding') &&
    before.encoding === chooseEncoding(before.body)
  )
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
