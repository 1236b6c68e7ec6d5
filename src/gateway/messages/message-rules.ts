import type { Rules } from '../../core/declaration/rules.ts'
import type { Message } from '../../collections/messages.ts'
import { askedStatus, cancelMessage } from './cancel-message.ts'
import { changeMessage } from './change-message.ts'
import type { ContentDefaults } from './content.ts'
import { createMessage } from './create-message.ts'
import { giveBack } from '../credits/credits.ts'
import { asMessage, readMessage } from './stored-message.ts'
import { messageFaults } from './message-faults.ts'

/**
 * The rules of the collection `messages`. A message counts as handed over from the moment at which
 * it is claimed for its carrier. Until then it can be changed and cancelled. One that is deleted while
 * it waits for room at its carrier is called back from there.
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
      if (waits(message)) {
        const isWithdrawn = (await writer.dequeue(before.id)) !== null
        if (!isWithdrawn) transaction.recall(message.submission.id)
        else await giveBack(message, { ...context, account: writer.account, at: clock.now() })
      }
      await transaction.submissions.drop(writer.account, before.id)
      await writer.forgetReceipts(before.id)
      const tally = hidden?.['tally']
      if (typeof tally === 'string') await writer.addToCounter(tally, message.status.type, -1)
    },
  }
}

function waits({ status }: Message): boolean {
  return status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
}
