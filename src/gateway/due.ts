import type { AccountId } from '../core/account.ts'
import type { Instant } from '../core/clock.ts'
import type { Submission } from '../core/submissions.ts'
import type { Transaction } from '../core/store.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Message } from '../collections/messages.ts'
import { findMessage, saveMessage, type KeptMessage } from './kept-message.ts'
import { advance, withEntry, type Step } from './status.ts'

/** A message that is claimed and about to be handed to its carrier. */
export interface HandOver {
  readonly account: AccountId
  readonly kept: KeptMessage
}

/** What taking due messages goes by. */
export interface DueOptions {
  readonly now: Instant
  /** Until when nobody else is given the messages taken. */
  readonly until: Instant
  readonly limit: number
  /** Whether a message that may be at its carrier already is sent again. */
  readonly resubmit: boolean
}

/** The validity of a message that has none of its own, from the time it is due: 3 days. */
export const validityMs = 3 * 24 * 3_600_000

/** The history's entry for a message that is handed over again and may arrive twice. */
export const resubmitted = 'ACCEPTED.RESUBMITTED'

/**
 * Claims the messages that are due and makes them ready: scheduled ones become ACCEPTED, those that
 * came too late FAILED. Returns those to hand over, and how many were claimed.
 */
export async function takeDue(
  transaction: Transaction,
  { now, until, limit, resubmit }: DueOptions,
): Promise<{ readonly ready: readonly HandOver[]; readonly claimed: number }> {
  const submissions = await transaction.submissions.claim(now, until, limit)
  const ready: HandOver[] = []
  for (const submission of submissions) {
    const handOver = await makeReady(transaction, submission, now, resubmit)
    if (handOver !== null) ready.push(handOver)
    else await transaction.submissions.finish(submission.account, submission.messageId)
  }
  await rememberSenders(transaction, ready, now)
  return { ready, claimed: submissions.length }
}

/** Null where there is nothing to hand over any more. */
async function makeReady(
  transaction: Transaction,
  { account, messageId, uncertain }: Submission,
  now: Instant,
  resubmit: boolean,
): Promise<HandOver | null> {
  const writer = transaction.in(account)
  const kept = await findMessage(writer, messageId)
  if (kept === null) return null

  const next = prepare(kept.message, { now, uncertain, resubmit })
  if (next === null) return null
  const { message, statuses } = next
  const saved =
    message === kept.message ? kept : await saveMessage(writer, { ...kept, message }, statuses, now)
  return message.status.type === 'ACCEPTED' ? { account, kept: saved } : null
}

/** A message made ready, and the statuses that it took on the way. */
interface Prepared {
  readonly message: Message
  readonly statuses: readonly Message[]
}

/** Decides what becomes of a claimed message: ACCEPTED to be handed over, FAILED, or null for nothing. */
export function prepare(
  before: Message,
  given: { readonly now: Instant; readonly uncertain: boolean; readonly resubmit: boolean },
): Prepared | null {
  const { now, uncertain, resubmit } = given
  const accepted =
    before.status.type === 'ACCEPTED'
      ? before
      : advance(before, { type: 'ACCEPTED', detail: null }, now)
  if (accepted === null) return null
  const statuses = accepted === before ? [] : [accepted]

  const failure = failureOf(accepted, now) ?? (uncertain && !resubmit ? notSent : null)
  const failed = failure && advance(accepted, failure, now)
  if (failed !== null) return { message: failed, statuses: [...statuses, failed] }
  return { message: uncertain ? withEntry(accepted, resubmitted, now) : accepted, statuses }
}

const notSent: Step = { type: 'FAILED', detail: 'NOT_SENT' }

/** Why it is too late to hand a message over, or null. Timestamps of one form compare as text. */
function failureOf({ validUntil, scheduledAt, submission }: Message, now: Instant): Step | null {
  if (validUntil !== null) {
    return validUntil <= timestamp(now) ? { type: 'FAILED', detail: 'EXPIRED' } : null
  }
  return (scheduledAt ?? submission.date) <= timestamp(now - validityMs) ? notSent : null
}

/** What comes back to an address goes to the account that last sent from it: known before it is sent. */
async function rememberSenders(
  transaction: Transaction,
  ready: readonly HandOver[],
  now: Instant,
): Promise<void> {
  const lastByAddress = new Map<string, AccountId>()
  for (const { account, kept } of ready) {
    if (kept.message.from !== null) lastByAddress.set(kept.message.from, account)
  }
  for (const [from, account] of lastByAddress) await transaction.in(account).sentFrom(from, now)
}
