import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { QueueKey, Submission } from '../../core/ports/submissions.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'
import { noResponse, type Message } from '../../collections/messages.ts'
import { blockedAmong } from '../messages/blocked.ts'
import type { Returns } from '../credits/credits.ts'
import { findMessage, saveMessage, type KeptMessage } from '../messages/stored-message.ts'
import {
  advance,
  resubmissions,
  resubmitted,
  touched,
  withEntry,
  type Step,
} from '../messages/status.ts'

/** A message that is claimed and about to be handed to its carrier. */
export interface PendingSubmit {
  readonly account: AccountId
  readonly kept: KeptMessage
  /** How often it had been claimed before. */
  readonly attempt: number
}

/** What taking due messages goes by. */
export interface DueOptions {
  readonly now: Instant
  /** The same by the clock that what is due goes by. */
  readonly dueNow: Instant
  /** Whether a message that may be at its carrier already is sent again. */
  readonly resubmit: boolean
  /** Finds another way for a message whose carrier does not take it; null where it waits on. */
  readonly wayFor: (message: Message, place: QueueKey) => FailoverTarget | null
  /** Takes those that fail without having left. */
  readonly returns: Returns
}

/** A claimed submission, and what it was claimed for. */
export interface Claim {
  readonly submission: Submission
  readonly aim: ClaimPurpose
}

/** GIVE_UP: the carrier that it was meant for is no more. */
export type ClaimPurpose = 'HAND_OVER' | 'MOVE' | 'GIVE_UP'

/** Another way for a message. */
export interface FailoverTarget {
  readonly carrier: string
  readonly place: QueueKey
}

/** The validity of a message that has none of its own, from the time it is due: 3 days. */
export const validityMs = 3 * 24 * 3_600_000

/** How long a message waits that has no way, the first time; each time twice as long, up to the most. */
const noWayMs = 5000
const noWayMsMax = 120_000

/**
 * Makes claimed messages ready: scheduled ones become ACCEPTED, those that came too late FAILED. Those
 * that were claimed to be moved wait from now on where another carrier takes them. Returns those to
 * hand over.
 */
export async function takeDue(
  transaction: Transaction,
  claims: readonly Claim[],
  options: DueOptions,
): Promise<readonly PendingSubmit[]> {
  // Side by side, so that the store is asked for all at once: no message is claimed twice.
  const found = await Promise.all(claims.map((claim) => findClaimed(transaction, claim, options)))
  const claimed = found.filter((each) => each !== null)

  const blocked = await blockedAmong(
    async (account, work) => work(transaction.in(account)),
    claimed,
  )
  const made = await Promise.all(
    claimed.map((each) => takeClaimed(transaction, each, blocked.has(each), options)),
  )
  const ready = made.filter((handOver) => handOver !== null)
  await rememberSenders(transaction, ready, options.now)
  await options.returns.settle(options.now)
  return ready
}

/** The message of a claim; null where it is no more, and the claim ends, or where it is put off. */
async function findClaimed(
  transaction: Transaction,
  { submission, aim }: Claim,
  options: DueOptions,
): Promise<Claimed | null> {
  const { account, messageId, uncertain, place, attempt } = submission
  const kept = await findMessage(transaction.in(account), messageId)
  if (kept === null) {
    await transaction.submissions.finish(submission)
    return null
  }
  if (await isPutOff(transaction, submission, kept.message, options)) return null
  return { account, kept, uncertain, place, attempt, aim }
}

/** Makes a message ready, or moves it; null where it is not to be handed over now. */
async function takeClaimed(
  transaction: Transaction,
  claimed: Claimed,
  blocked: boolean,
  options: DueOptions,
): Promise<PendingSubmit | null> {
  const { uncertain, aim, kept } = claimed
  const given = { ...options, uncertain, isGone: aim === 'GIVE_UP', blocked }
  const handOver = await makeReady(transaction, claimed, given)
  if (handOver === null) {
    await transaction.submissions.finish({ ...claimed, messageId: kept.message.id })
    return null
  }
  if (aim !== 'MOVE') return handOver
  await move(transaction, claimed, handOver, options)
  return null
}

/** What is moved is due at once where it comes to; what has no way is asked after again later. */
async function move(
  transaction: Transaction,
  { place, attempt }: Claimed,
  { account, kept }: PendingSubmit,
  { now, dueNow, wayFor }: DueOptions,
): Promise<void> {
  const { message } = kept
  const claimed = { account, messageId: message.id, attempt }
  const way = wayFor(message, place)
  if (way === null) {
    const waitMs = Math.min(noWayMs * 2 ** attempt, noWayMsMax)
    await transaction.submissions.postpone(claimed, dueNow + waitMs)
    return
  }
  const moved = { ...kept, message: { ...touched(message, now), carrier: way.carrier } }
  if (way.carrier !== message.carrier) {
    await saveMessage(transaction.in(account), moved, [], now)
  }
  await transaction.submissions.postpone(claimed, dueNow, way.place)
}

/** How often it is looked again whether the time of a message has come that was claimed too early. */
const earlyMs = 60_000

/** Where the wall clock was set back, a message is claimed before the time that it is scheduled for. */
async function isPutOff(
  { submissions }: Transaction,
  submission: Submission,
  { status, scheduledAt }: Message,
  { now, dueNow }: DueOptions,
): Promise<boolean> {
  if (status.type !== 'SCHEDULED' || now === dueNow || scheduledAt === null) return false
  const leftMs = (parseTimestamp(scheduledAt) ?? now) - now
  if (leftMs <= 0) return false
  await submissions.postpone(submission, dueNow + Math.min(leftMs, earlyMs))
  return true
}

interface Claimed extends PendingSubmit {
  /** The message may be at its carrier already. */
  readonly uncertain: boolean
  readonly place: QueueKey
  readonly aim: ClaimPurpose
}

/** What decides whether a claimed message is handed over. */
interface Given {
  readonly now: Instant
  readonly uncertain: boolean
  readonly resubmit: boolean
  /** Its recipient has opted out. */
  readonly blocked: boolean
  /** The carrier that it was meant for is no more. */
  readonly isGone: boolean
  readonly returns: Returns
}

/** Null where there is nothing to hand over any more. */
async function makeReady(
  transaction: Transaction,
  { account, kept, attempt }: PendingSubmit,
  given: Given,
): Promise<PendingSubmit | null> {
  const next = prepare(kept.message, given)
  if (next === null) return null
  const { message, statuses } = next
  if (message === kept.message) return { account, kept, attempt }
  const writer = transaction.in(account)
  const saved = await saveMessage(writer, { ...kept, message }, statuses, given.now)
  if (message.status.type === 'ACCEPTED') return { account, kept: saved, attempt }
  if (!given.uncertain) given.returns.add(account, message)
  return null
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
function failureOf(message: Message, given: Given): Step | null {
  const { now, uncertain, resubmit, blocked, isGone } = given
  if (blocked) return { type: 'FAILED', detail: 'BLOCKED' }
  const isOver = isGone || isLate(message, now) || (uncertain && !resubmit)
  // What may have left has not failed as far as is known.
  if (isOver && (uncertain || resubmissions(message) > 0)) {
    return { type: 'UNKNOWN', detail: noResponse }
  }
  if (isLate(message, now)) {
    return { type: 'FAILED', detail: message.validUntil === null ? 'NOT_SENT' : 'EXPIRED' }
  }
  return isGone ? { type: 'FAILED', detail: 'NOT_SENT' } : null
}

/** Tells whether a message's validity is over. Timestamps of one form compare as text. */
function isLate({ validUntil, scheduledAt, submission }: Message, now: Instant): boolean {
  if (validUntil !== null) return validUntil <= timestamp(now)
  return (scheduledAt ?? submission.date) <= timestamp(now - validityMs)
}

/** What comes back to an address goes to the account that last sent from it: known before it is sent. */
export async function rememberSenders(
  transaction: Transaction,
  ready: readonly PendingSubmit[],
  now: Instant,
): Promise<void> {
  // In one order, so that two who write the same do not wait for each other.
  const inOrder = [...lastByAddress(ready)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(inOrder.map(([from, account]) => transaction.in(account).sentFrom(from, now)))
}

/** The account that sends from each address, the last where there are several. */
export function lastByAddress(ready: readonly PendingSubmit[]): ReadonlyMap<string, AccountId> {
  const last = new Map<string, AccountId>()
  for (const { account, kept } of ready) {
    if (kept.message.from !== null) last.set(kept.message.from, account)
  }
  return last
}
