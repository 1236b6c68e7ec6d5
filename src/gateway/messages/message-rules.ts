import type { Message } from '../../collections/messages.ts'
import type { Change, RuleContext, Ruled, Rules } from '../../core/declaration/rules.ts'
import { isJsonObject, type JsonValue, sameJson } from '../../core/json.ts'
import { type InputError, invalidBody, Problem } from '../../core/problem.ts'
import { refund } from '../credits/credits.ts'
import {
  changeMessage,
  dequeueMessage,
  isDerivedAgain,
  type MessageUpdate,
  wantedMessage,
} from './change-message.ts'
import {
  carrierFaults,
  complete,
  type ContentDefaults,
  contentErrors,
  maxPartsOf,
  sameContent,
  timeFaults,
} from './content.ts'
import { createMessage, importFaults } from './create-message.ts'
import { advance, asMessage, asProposed, readMessage, recordStatus } from './stored-message.ts'

/**
 * Creates the rules of the collection `messages`. A message can be changed and cancelled until it
 * is claimed for its carrier. Deleting a message that waits at its carrier recalls it from there.
 */
export function messageRules(defaults: ContentDefaults): Rules {
  return {
    faults: (change, context) => messageFaults(change, context, defaults),
    write: async (change, context) => {
      if (change.before === null) return createMessage(change, context, defaults)
      const update = { change, before: asMessage(change.before), context, defaults }
      const asked = askedStatus(change, update.before)
      return asked === null ? changeMessage(update) : cancelMessage(asked, update)
    },

    remove: async (before, context) => {
      const { writer, transaction, clock } = context
      const { message, hidden } = readMessage(before)
      const isWithdrawn = waits(message) && (await writer.dequeue(before.id)) !== null
      if (isWithdrawn) {
        await refund(message, { ...context, account: writer.account, at: clock.now() })
      } else if (message.type === 'SENT') {
        // Also of a message that was sent: after a leap of the clock a second claim may wait at the carrier.
        transaction.recall(message.submission.id)
      }
      const tally = hidden?.['tally']
      if (typeof tally === 'string') await writer.addToCounter(tally, message.status.type, -1)
    },
  }
}

function waits({ status }: Message): boolean {
  return status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
}

/** Replacements for faulty fields, so that these add no further faults. */
const standIns = {
  type: 'SENT',
  from: '000',
  to: '000',
  body: '-',
  encoding: null,
  scheduledAt: null,
  validUntil: null,
  carrier: null,
} as const

/** Returns the faults of the remaining fields of a message that is refused for other fields. */
async function messageFaults(
  change: Change,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<readonly InputError[]> {
  const { body, input, after, hiddenAfter } = change
  const before = change.before === null ? null : asMessage(change.before)
  const { clock, transaction } = context
  const isAnew = before !== null && isDerivedAgain({ change, before, context, defaults })
  const wanted = asProposed({
    ...standIns,
    ...after,
    ...(isAnew ? { encoding: null } : {}),
    // The length of a body depends on its encoding.
    ...(after['encoding'] === undefined ? { body: standIns.body } : {}),
  })
  // An unchanged carrier is not checked again.
  const named = wanted.carrier === before?.carrier ? null : wanted.carrier
  const limitIsFaulty = Object.hasOwn(body, 'maxParts') && !Object.hasOwn(input, 'maxParts')
  const maxParts = limitIsFaulty ? Infinity : maxPartsOf(hiddenAfter)
  return [
    ...contentErrors(complete(wanted, defaults), maxParts, defaults),
    ...(await carrierFaults(named, transaction, defaults)),
    ...(wanted.type === 'SENT' ? timeFaults(wanted, before, clock.now()) : importFaults(wanted)),
    ...(before === null ? [] : statusFaults(change, before)),
  ]
}

/**
 * Returns the status type that a PATCH requests; null if it requests none or the present one. A PUT
 * requests none: it repeats the status of the GET before it.
 */
function askedStatus({ method, body }: Change, before: Message): string | null {
  const status = body['status']
  if (method !== 'PATCH' || status === undefined || status === null) return null
  if (sameJson(status, { ...before.status })) return null
  const type = typeOf(status)
  if (type === null) throw invalidBody([statusFault])
  return type === before.status.type ? null : type
}

/** Returns the faults of a requested status. */
function statusFaults({ method, body }: Change, before: Message): readonly InputError[] {
  const status = body['status']
  const asks = method === 'PATCH' && status !== undefined && status !== null
  const isFaulty = asks && !sameJson(status, { ...before.status }) && typeOf(status) === null
  return isFaulty ? [statusFault] : []
}

const statusFault: InputError = {
  pointer: '/status',
  detail: 'must be {"type": "CANCELLED"}; no other status can be set',
}

function typeOf(status: JsonValue): string | null {
  if (!isJsonObject(status)) return null
  const { type } = status
  const knowsAll = Object.keys(status).every((name) => name === 'type' || name === 'id')
  return knowsAll && typeof type === 'string' ? type : null
}

/** Cancels a waiting message and keeps its record. Refuses any other status with 409. */
async function cancelMessage(asked: string, update: MessageUpdate): Promise<Ruled> {
  const { change, before, context } = update
  if (asked !== 'CANCELLED') {
    throw new Problem('conflict', 'The only status that a client can set is CANCELLED.')
  }
  if (!sameContent(await wantedMessage(update), before)) {
    throw new Problem('conflict', 'Cancel a message without changing it otherwise.')
  }
  await dequeueMessage(before, context.writer, 'cancelled')

  const now = context.clock.now()
  const message = advance(before, { type: 'CANCELLED', detail: null }, now)
  if (message === null) throw new Problem('conflict', `The message is ${before.status.type}.`)
  await refund(before, { ...context, account: context.writer.account, at: now })
  await recordStatus(context, message, change.hiddenBefore, now)
  return { instance: message, hidden: change.hiddenBefore }
}
