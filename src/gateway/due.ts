import type { AccountId } from '../core/account.ts'
import type { Instant } from '../core/clock.ts'
import type { Transaction } from '../core/store.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Message } from '../collections/messages.ts'
import { blockedAmong } from './blocked.ts'
import { findMessage, saveMessage, type KeptMessage } from './kept-message.ts'
import { advance, withEntry, type Step } from './status.ts'

/** A message that is claimed and about to be handed to its carrier. */
export interface HandOver {
  readonly account: AccountId
  readonly kept: KeptMessage
  /** How often it had been claimed before. */
  readonly attempt: number
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
  const claimed: Claimed[] = []
  for (const { account, messageId, attempt, uncertain } of submissions) {
    const kept = await findMessage(transaction.in(account), messageId)
    if (kept !== null) claimed.push({ account, kept, attempt, uncertain })
    else await transaction.submissions.finish(account, messageId)
  }

  const blocked = await blockedAmong(transaction, claimed)
  const ready: HandOver[] = []
  for (const each of claimed) {
    const { uncertain, account, kept } = each
    const given = { now, uncertain, resubmit, blocked: blocked.has(each) }
    const handOver = await makeReady(transaction, each, given)
    if (handOver !== null) ready.push(handOver)
    else await transaction.submissions.finish(account, kept.message.id)
  }
  await rememberSenders(transaction, ready, now)
  return { ready, claimed: submissions.length }
}

interface Claimed extends HandOver {
  /** The message may be at its carrier already. */
  readonly uncertain: boolean
}

/** What decides whether a claimed message is handed over. */
interface Given {
  readonly now: Instant
  readonly uncertain: boolean
  readonly resubmit: boolean
  /** Its recipient has opted out. */
  readonly blocked: boolean
}

/** Null where there is nothing to hand over any more. */
async function makeReady(
  transaction: Transaction,
  { account, kept, attempt }: HandOver,
  given: Given,
): Promise<HandOver | null> {
  const next = prepare(kept.message, given)
  if (next === null) return null
  const { message, statuses } = next
  if (message === kept.message) return { account, kept, attempt }
  const writer = transaction.in(account)
  const saved = await saveMessage(writer, { ...kept, message }, statuses, given.now)
  return message.status.type === 'ACCEPTED' ? { account, kept: saved, attempt } : null
}

/** A message made ready, and the statuses that it took on the way. */
interface Prepared {
  readonly message: Message
  readonly statuses: readonly Message[]
}

/** Decides what becomes of a claimed message: ACCEPTED to be handed over, FAILED, or null for nothing. */
function prepare(before: Message, given: Given): Prepared | null {
  const { now, uncertain } = given
  const accepted =
    before.status.type === 'ACCEPTED'
      ? before
      : advance(before, { type: 'ACCEPTED', detail: null }, now)
  if (accepted === null) return null
  const statuses = accepted === before ? [] : [accepted]

  const failure = failureOf(accepted, given)
  const failed = failure && advance(accepted, failure, now)
  if (failed !== null) return { message: failed, statuses: [...statuses, failed] }
  return { message: uncertain ? withEntry(accepted, resubmitted, now) : accepted, statuses }
}

/** Why a message is not handed over, or null. */
function failureOf(message: Message, { now, uncertain, resubmit, blocked }: Given): Step | null {
  if (blocked) return { type: 'FAILED', detail: 'BLOCKED' }
  if (isLate(message, now)) {
    return { type: 'FAILED', detail: message.validUntil === null ? 'NOT_SENT' : 'EXPIRED' }
  }
  return uncertain && !resubmit ? { type: 'FAILED', detail: 'NOT_SENT' } : null
}

/** Tells whether a message's validity is over. Timestamps of one form compare as text. */
function isLate({ validUntil, scheduledAt, submission }: Message, now: Instant): boolean {
  if (validUntil !== null) return validUntil <= timestamp(now)
  return (scheduledAt ?? submission.date) <= timestamp(now - validityMs)
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
