import type { Rules, Change, RuleContext } from '../../core/declaration/rules.ts'
import type { Message } from '../../collections/messages.ts'
import { askedStatus, cancelMessage, statusFaults } from './cancel-message.ts'
import { changeMessage, isDerivedAgain } from './change-message.ts'
import {
  type ContentDefaults,
  carrierFaults,
  complete,
  contentErrors,
  maxPartsOf,
  timeFaults,
} from './content.ts'
import { createMessage, importFaults } from './create-message.ts'
import { refund } from '../credits/credits.ts'
import { asMessage, asProposed, readMessage } from './stored-message.ts'
import type { InputError } from '../../core/problem.ts'

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
      await writer.forget(before.id)
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
export async function messageFaults(
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
