import type { Instant } from '../../core/ports/clock.ts'
import type { InputError } from '../../core/problem.ts'
import { timestamp } from '../../core/timestamp.ts'
import { scheduleMsMax, type Message } from '../../collections/messages.ts'

/** When a message is to be sent and given up. */
export type Times = Pick<Message, 'scheduledAt' | 'validUntil'>

/**
 * The faults of the times that a request sets; those that stay as they were may have passed.
 * Timestamps of one form compare as text.
 */
export function timeFaults(times: Times, before: Times | null, now: Instant): InputError[] {
  const faults: InputError[] = []
  const { scheduledAt, validUntil } = times
  if (scheduledAt !== null && scheduledAt !== before?.scheduledAt) {
    if (scheduledAt <= timestamp(now)) {
      faults.push({ pointer: '/scheduledAt', detail: 'must be in the future' })
    } else if (scheduledAt > timestamp(now + scheduleMsMax)) {
      faults.push({ pointer: '/scheduledAt', detail: 'must be at most 2 years ahead' })
    }
  }
  if (validUntil === null) return faults
  if (validUntil !== before?.validUntil && validUntil <= timestamp(now)) {
    faults.push({ pointer: '/validUntil', detail: 'must be in the future' })
  } else if (scheduledAt !== null && validUntil <= scheduledAt) {
    faults.push({ pointer: '/validUntil', detail: 'must be after scheduledAt' })
  }
  return faults
}
