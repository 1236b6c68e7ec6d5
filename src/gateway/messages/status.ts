import type { Instant } from '../../core/ports/clock.ts'
import { mayFollow } from '../../core/declaration/collection.ts'
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
  /** The carrier's code if the carrier reports it; null if it has none. */
  readonly code?: string | null
}

/**
 * Applies a transition. Returns null if `messageStates` does not allow it: the report came late, or
 * again. Neither `updatedAt` nor the dates of `history` ever go back, even if the clock does.
 */
export function advance(message: Message, step: StatusStep, at: Instant): Message | null {
  if (!mayFollow(messageStates, message.status.type, step.type)) return null
  const status = statusOf(step)
  return { ...withEntry(message, status.id, at, step.code), status }
}

/**
 * Returns the status of a transition. Its `id` is `<type>.<detail>`; the detail may be the literal
 * null.
 */
export function statusOf(step: StatusStep): Message['status'] {
  return { id: `${step.type}.${step.detail}`, type: step.type }
}

/**
 * Adds an entry to a message's history without changing its status. A code other than undefined comes
 * from a report of the carrier.
 */
export function withEntry(
  message: Message,
  status: string,
  at: Instant,
  code?: string | null,
): Message {
  const changed = touched(message, at)
  const entry = { status, date: changed.updatedAt, ...(code ? { code } : {}) }
  const history = [...message.history, entry]
  return code === undefined ? { ...changed, history } : { ...changed, networkCode: code, history }
}

/** The most intermediate reports in the history of a message. */
const reportsMax = 20

/**
 * Adds an intermediate report of the carrier to the history. Returns null if the message is no longer
 * on its way, or the report came before.
 */
export function withReport(
  message: Message,
  { detail, code }: { readonly detail: string; readonly code: string | null },
  at: Instant,
): Message | null {
  if (message.status.type !== 'SENT') return null
  const status = `SENT.${detail}`
  const isKnown = message.history.some((entry) => {
    return entry.status === status && (entry.code ?? null) === code
  })
  const reports = message.history.filter(({ status: id }) => id.startsWith('SENT.')).length
  return isKnown || reports > reportsMax ? null : withEntry(message, status, at, code)
}

/** Returns the message with the time of this change. */
export function touched(message: Message, at: Instant): Message {
  const now = timestamp(at)
  return { ...message, updatedAt: now > message.updatedAt ? now : message.updatedAt }
}
