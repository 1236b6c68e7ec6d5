import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { QueueKey, Submission } from '../../core/ports/submissions.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { noResponse, type Message } from '../../collections/messages.ts'
import { rememberSenders } from './remember-senders.ts'
import { findBlocked } from '../messages/blocked.ts'
import type { Refunds } from '../credits/credits.ts'
import {
  findMessage,
  saveMessage,
  type StoredMessage,
  validityEnd,
  advance,
  resubmissions,
  resubmitted,
  touched,
  withEntry,
  type StatusStep,
} from '../messages/stored-message.ts'

/** A claimed message that its carrier can be given. */
export interface PendingSubmit {
  readonly account: AccountId
  readonly kept: StoredMessage
  /** The number of earlier claims. */
  readonly attempt: number
}

/** The inputs of preparing claimed messages. */
export interface PrepareOptions {
  readonly now: Instant
  /** The same moment by the clock of due times. */
  readonly dueNow: Instant
  /** True if a message that its carrier may already have is sent again. */
  readonly resubmit: boolean
  /** Returns another carrier for a message; null if it continues to wait. */
  readonly failoverFor: (message: Message, queue: QueueKey) => FailoverTarget | null
  /** Collects messages that fail before they were sent. */
  readonly returns: Refunds
  /** Counts the parts of a message for its carrier; null if the credits do not suffice. */
  readonly recount: (account: AccountId, message: Message) => Promise<Message | null>
  /** Collects submissions that are given up, because their messages stayed invisible. */
  readonly lost: Submission[]
}

/** A claimed submission with the purpose of the claim. */
export interface Claim {
  readonly submission: Submission
  readonly purpose: ClaimPurpose
}

/** The purpose of a claim. GIVE_UP: the carrier that the message is pinned to was deleted. */
export type ClaimPurpose = 'SUBMIT' | 'MOVE' | 'GIVE_UP'

/** Another carrier for a message, and its queue there. */
export interface FailoverTarget {
  readonly carrier: string
  readonly queue: QueueKey
}

/** The default validity of a message, from the time it is due: 3 days. */
export const validityMs = 3 * 24 * 3_600_000

/** Returns until when receipts of a message are expected that was submitted at a time. */
export function receiptsEnd(message: Message, at: Instant): Instant {
  return validityEnd(message) ?? at + validityMs
}

/** The delay of a message that no carrier takes: the first one, doubled each time up to the maximum. */
const noCarrierMs = 5000
const noCarrierMsMax = 120_000

/**
 * Prepares claimed messages and returns those to submit. Scheduled messages become ACCEPTED, expired ones
 * FAILED. Messages that were claimed to be moved enter the queue of another carrier.
 */
export async function prepareSubmits(
  transaction: Transaction,
  claims: readonly Claim[],
  options: PrepareOptions,
): Promise<readonly PendingSubmit[]> {
  // Concurrently, so that a remote store gets all queries together. No message is claimed twice.
  const found = await Promise.all(claims.map((claim) => findClaimed(transaction, claim, options)))
  const claimed = found.filter((each) => each !== null)

  const blocked = await findBlocked(transaction, claimed)
  const made = await Promise.all(
    claimed.map((each) => prepareClaimed(transaction, each, blocked.has(each), options)),
  )
  const ready = made.filter((pending) => pending !== null)
  await rememberSenders(transaction, ready, options.now)
  await options.returns.settle(options.now)
  return ready
}

/** Claims of a submission without a message: with their delays about an hour. */
const unseenClaimsMax = 34

/** Returns the claimed message; null if it is not visible or postponed. */
async function findClaimed(
  transaction: Transaction,
  { submission, purpose }: Claim,
  options: PrepareOptions,
): Promise<Claimed | null> {
  const { account, messageId, uncertain, place, attempt } = submission
  const kept = await findMessage(transaction.in(account), messageId)
  if (kept === null) {
    await postponeUnseen(transaction, submission, options)
    return null
  }
  if (await isPostponed(transaction, submission, kept.message, options)) return null
  return { account, kept, uncertain, place, attempt, purpose }
}

/**
 * Postpones a submission whose message is not visible. Deleting a message removes its submission, so the
 * message can still appear: on a distributed store two tables do not become visible together.
 */
async function postponeUnseen(
  { submissions }: Transaction,
  submission: Submission,
  { dueNow, lost }: PrepareOptions,
): Promise<void> {
  if (submission.attempt >= unseenClaimsMax) {
    if (await submissions.settle(submission, { kind: 'FINISHED' })) lost.push(submission)
    return
  }
  await submissions.settle(submission, postponed(dueNow + waitMsAfter(submission.attempt)))
}

/** Prepares or moves a message. Returns null if it is not submitted now. */
async function prepareClaimed(
  transaction: Transaction,
  claimed: Claimed,
  blocked: boolean,
  options: PrepareOptions,
): Promise<PendingSubmit | null> {
  const { uncertain, purpose, kept } = claimed
  const given = { ...options, uncertain, isGone: purpose === 'GIVE_UP', blocked }
  const pending = await prepareOne(transaction, claimed, given)
  if (pending === null) {
    const finished = { ...claimed, messageId: kept.message.id }
    await transaction.submissions.settle(finished, { kind: 'FINISHED' })
    return null
  }
  if (purpose !== 'MOVE') return recounted(transaction, claimed, pending, options)
  await move(transaction, claimed, pending, options)
  return null
}

/** Counts the parts for the carrier as it is now. Postpones a message that its account cannot pay. */
async function recounted(
  transaction: Transaction,
  { attempt }: Claimed,
  pending: PendingSubmit,
  { now, dueNow, recount }: PrepareOptions,
): Promise<PendingSubmit | null> {
  const { account, kept } = pending
  const message = await recount(account, kept.message)
  if (message === kept.message) return pending
  if (message === null) {
    const claimed = { account, messageId: kept.message.id, attempt }
    await transaction.submissions.settle(claimed, postponed(dueNow + waitMsAfter(attempt)))
    return null
  }
  const writer = transaction.in(account)
  const saved = await saveMessage({ transaction, writer }, { ...kept, message }, [], now)
  return { ...pending, kept: saved }
}

const postponed = (dueAt: Instant) => ({ kind: 'POSTPONED', dueAt }) as const
function waitMsAfter(attempt: number): number {
  return Math.min(noCarrierMs * 2 ** attempt, noCarrierMsMax)
}

/** Enqueues a message at another carrier, due immediately; without one it waits and is tried again. */
async function move(
  transaction: Transaction,
  { place, attempt }: Claimed,
  { account, kept }: PendingSubmit,
  { now, dueNow, failoverFor, recount }: PrepareOptions,
): Promise<void> {
  const { message } = kept
  const claimed = { account, messageId: message.id, attempt }
  const target = failoverFor(message, place)
  const next = target && (await recount(account, { ...message, carrier: target.carrier }))
  if (target === null || next === null) {
    await transaction.submissions.settle(claimed, postponed(dueNow + waitMsAfter(attempt)))
    return
  }
  const moved = { ...kept, message: touched(next, now) }
  if (target.carrier !== message.carrier) {
    await saveMessage({ transaction, writer: transaction.in(account) }, moved, [], now)
  }
  await transaction.submissions.settle(claimed, { ...postponed(dueNow), queue: target.queue })
}

/** The interval of claiming a message again whose time has not come. */
const earlyMs = 60_000

/** Postpones a message that was claimed too early, because the wall clock was set back. Returns whether it did. */
async function isPostponed(
  { submissions }: Transaction,
  submission: Submission,
  { status, scheduledAt }: Message,
  { now, dueNow }: PrepareOptions,
): Promise<boolean> {
  if (status.type !== 'SCHEDULED' || now === dueNow || scheduledAt === null) return false
  const leftMs = (parseTimestamp(scheduledAt) ?? now) - now
  if (leftMs <= 0) return false
  await submissions.settle(submission, postponed(dueNow + Math.min(leftMs, earlyMs)))
  return true
}

interface Claimed extends PendingSubmit {
  /** True if the carrier may already have the message. */
  readonly uncertain: boolean
  readonly place: QueueKey
  readonly purpose: ClaimPurpose
}

/** The inputs of the decision whether a claimed message is submitted. */
interface Decision {
  readonly now: Instant
  readonly uncertain: boolean
  readonly resubmit: boolean
  /** True if its recipient has opted out. */
  readonly blocked: boolean
  /** True if the carrier that it is pinned to was deleted. */
  readonly isGone: boolean
  readonly returns: Refunds
}

/** Prepares a claimed message and stores its statuses. Returns null if it is not submitted. */
async function prepareOne(
  transaction: Transaction,
  { account, kept, attempt }: PendingSubmit,
  given: Decision,
): Promise<PendingSubmit | null> {
  const next = prepare(kept.message, given)
  if (next === null) return null
  const { message, statuses } = next
  if (message === kept.message) return { account, kept, attempt }
  const writer = transaction.in(account)
  const writing = { transaction, writer }
  const saved = await saveMessage(writing, { ...kept, message }, statuses, given.now)
  if (message.status.type === 'ACCEPTED') return { account, kept: saved, attempt }
  if (!given.uncertain) given.returns.add(account, message)
  return null
}

/** A prepared message with the statuses that it took. */
interface Prepared {
  readonly message: Message
  readonly statuses: readonly Message[]
}

/**
 * Decides the next status of a claimed message: ACCEPTED to be submitted, FAILED, or null if it is
 * final.
 */
function prepare(before: Message, given: Decision): Prepared | null {
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

/** Returns why a message is not submitted; null if it is. */
function failureOf(message: Message, given: Decision): StatusStep | null {
  const { now, uncertain, resubmit, blocked, isGone } = given
  if (blocked) return { type: 'FAILED', detail: 'BLOCKED' }
  const isOver = isGone || isLate(message, now) || (uncertain && !resubmit)
  // The carrier may have it, so it has not certainly failed.
  if (isOver && (uncertain || resubmissions(message) > 0)) {
    return { type: 'UNKNOWN', detail: noResponse }
  }
  if (isLate(message, now)) {
    return { type: 'FAILED', detail: message.validUntil === null ? 'NOT_SENT' : 'EXPIRED' }
  }
  return isGone ? { type: 'FAILED', detail: 'NOT_SENT' } : null
}

/** Returns whether a message's validity has ended. Timestamps of one form compare as text. */
function isLate({ validUntil, scheduledAt, submission }: Message, now: Instant): boolean {
  if (validUntil !== null) return validUntil <= timestamp(now)
  return (scheduledAt ?? submission.date) <= timestamp(now - validityMs)
}
