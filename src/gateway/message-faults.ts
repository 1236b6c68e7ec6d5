import type { Instant } from '../core/clock.ts'
import type { InputError } from '../core/problem.ts'
import type { Change } from '../core/rules.ts'
import { statusFaults } from './cancel-message.ts'
import { isDerivedAnew } from './change-message.ts'
import { complete, contentFaults, maxPartsOf, type ContentDefaults } from './content.ts'
import { importFaults } from './create-message.ts'
import { asMessage } from './kept-message.ts'
import { timeFaults } from './times.ts'

/** Stand for fields that are at fault already, and have no fault of their own. */
const standIns = {
  type: 'SENT',
  from: '000',
  body: '-',
  encoding: null,
  scheduledAt: null,
  validUntil: null,
  carrier: null,
} as const

/** What is wrong with the sound fields of a message that is refused for others. */
export function messageFaults(
  change: Change,
  defaults: ContentDefaults,
  now: Instant,
): readonly InputError[] {
  const { body, input, after, hiddenAfter } = change
  const before = change.before === null ? null : asMessage(change.before)
  const isAnew = before !== null && isDerivedAnew(change, before)
  const wanted = asMessage({
    ...standIns,
    ...after,
    ...(isAnew ? { encoding: null } : {}),
    // How long a body is depends on its encoding.
    ...(after['encoding'] === undefined ? { body: standIns.body } : {}),
  })
  const limitIsFaulty = Object.hasOwn(body, 'maxParts') && !Object.hasOwn(input, 'maxParts')
  const maxParts = limitIsFaulty ? Infinity : maxPartsOf(hiddenAfter)
  return [
    ...contentFaults(complete(wanted, defaults), maxParts, defaults),
    ...(wanted.type === 'SENT' ? timeFaults(wanted, before, now) : importFaults(wanted)),
    ...(before === null ? [] : statusFaults(change, before)),
  ]
}
