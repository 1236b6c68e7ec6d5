import type { Instant } from '../../core/ports/clock.ts'
import { mayFollow } from '../../core/declaration/lifecycle.ts'
import { timestamp } from '../../core/timestamp.ts'
import { messageStates, type Message, type StatusType } from '../../collections/messages.ts'

/** The history entry of a message that is submitted again and may arrive twice. */
export const resubmitted = 'ACCEPTED.RESUBMITTED'

/** Returns how often a message was submitted again after a submit without a known outcome. */
export function resubmissions({ history }: Pick<Message, 'history'>): number {
  return history.filter(({ status }) => status === resubmitted).length
}

/** A transition of a message: the next status type, and its reason. */
export interface StatusStep {
  readonly type: StatusType
  readonly detail: string | null
}

/**
 * Applies a transition. Returns null if `messageStates` does not allow it: the report came late, or
 * again. Neither `updatedAt` nor the dates of `history` ever go back, even if the clock does.
 */
export function advance(message: Message, step: StatusStep, at: Instant): Message | null {
  if (!mayFollow(messageStates, message.status.type, step.type)) return null
  const status = statusOf(step)
  return { ...withEntry(message, status.id, at), status }
}

/**
 * Returns the status of a transition. Its `id` is `<type>.<detail>`; the detail may be the literal
 * null.
 */
export function statusOf(step: StatusStep): Message['status'] {
  return { id: `${step.type}.${step.detail}`, type: step.type }
}

/** Adds an entry to a message's history without changing its status. */
export function withEntry(message: Message, entry: string, at: Instant): Message {
  const changed = touched(message, at)
  const history = [...message.history, { status: entry, date: changed.updatedAt }]
  return { ...changed, history }
}

/** Returns the message with the time of this change. */
export function touched(message: Message, at: Instant): Message {
  const now = timestamp(at)
  return { ...message, updatedAt: now > message.updatedAt ? now : message.updatedAt }
}
