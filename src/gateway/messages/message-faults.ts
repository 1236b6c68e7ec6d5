import type { InputError } from '../../core/problem.ts'
import type { Change, RuleContext } from '../../core/declaration/rules.ts'
import { statusFaults } from './cancel-message.ts'
import { isDerivedAnew } from './change-message.ts'
import {
  carrierFaults,
  complete,
  contentFaults,
  maxPartsOf,
  type ContentDefaults,
} from './content.ts'
import { importFaults } from './create-message.ts'
import { asMessage } from './stored-message.ts'
import { timeFaults } from './times.ts'

/** Stand for fields that are at fault already, and have no fault of their own. */
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

/** What is wrong with the sound fields of a message that is refused for others. */
export async function messageFaults(
  change: Change,
  context: RuleContext,
  defaults: ContentDefaults,
): Promise<readonly InputError[]> {
  const { body, input, after, hiddenAfter } = change
  const before = change.before === null ? null : asMessage(change.before)
  const { clock, transaction } = context
  const isAnew = before !== null && isDerivedAnew({ change, before, context, defaults })
  const wanted = asMessage({
    ...standIns,
    ...after,
    ...(isAnew ? { encoding: null } : {}),
    // How long a body is depends on its encoding.
    ...(after['encoding'] === undefined ? { body: standIns.body } : {}),
  })
  // One that stays is not asked for again.
  const named = wanted.carrier === before?.carrier ? null : wanted.carrier
  const limitIsFaulty = Object.hasOwn(body, 'maxParts') && !Object.hasOwn(input, 'maxParts')
  const maxParts = limitIsFaulty ? Infinity : maxPartsOf(hiddenAfter)
  return [
    ...contentFaults(complete(wanted, defaults), maxParts, defaults),
    ...(await carrierFaults(named, transaction, defaults)),
    ...(wanted.type === 'SENT' ? timeFaults(wanted, before, clock.now()) : importFaults(wanted)),
    ...(before === null ? [] : statusFaults(change, before)),
  ]
}
