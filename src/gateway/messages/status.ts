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

/** A step of a message: the status type that it goes to, and why. */
export interface StatusStep {
  readonly type: StatusType
  readonly detail: string | null
}

/**
 * Takes a message one step on. Null where `messageStates` does not have the step: it came late, or
 * again. Neither `updatedAt` nor the dates of `history` ever go back, even if the clock does.
 */
export function advance(message: Message, step: StatusStep, at: Instant): Message | null {
  if (!mayFollow(messageStates, message.status.type, step.type)) return null
  const status = statusOf(step)
  return { ...withEntry(message, status.id, at), status }
}

/** The status that a step leads to; its `id` is `<type>.<detail>`, the detail possibly the literal null. */
export function statusOf(step: StatusStep): Message['status'] {
  return { id: `${step.type}.${step.detail}`, type: step.type }
}

/** Adds an entry to a message's history and leaves its status alone. */
export function withEntry(message: Message, entry: string, at: Instant): Message {
  const changed = touched(message, at)
  const history = [...message.history, { status: entry, date: changed.updatedAt }]
  return { ...changed, history }
}

/** A message that is changed now. */
export function touched(message: Message, at: Instant): Message {
  const now = timestamp(at)
  return { ...message, updatedAt: now > message.updatedAt ? now : message.updatedAt }
}
