import type { AccountId } from '../../core/account.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { QueueKey, Submission } from '../../core/ports/submissions.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Message } from '../../collections/messages.ts'
import type { Routing } from '../carriers/routing.ts'
import { refunds, type Refunds } from '../credits/credits.ts'
import {
  findMessage,
  saveMessage,
  type StoredMessage,
  touched,
} from '../messages/stored-message.ts'
import { queueNameText, readQueueName } from './queue-key.ts'
import {
  decideSubmit,
  failoverCarrier,
  findBlocked,
  recountParts,
  type RecountOptions,
} from './submit-decision.ts'

/** A claimed message that its carrier can be given. */
export interface PendingSubmit {
  readonly account: AccountId
  readonly kept: StoredMessage
  /** The number of earlier claims. */
  readonly attempt: number
}

/** The inputs of preparing claimed messages. */
export interface PrepareOptions extends RecountOptions {
  /** The same moment by the clock of due times. */
  readonly dueNow: Instant
  /** True if a message that its carrier may already have is sent again. */
  readonly resubmit: boolean
  /** Returns the carrier for a recipient; null if none serves it. */
  readonly routeOf: Routing['routeOf']
}

/** The result of preparing claimed messages. */
export interface PreparedClaims {
  /** The messages to submit. */
  readonly ready: readonly PendingSubmit[]
  /** Submissions that were given up, because their messages stayed invisible. */
  readonly lost: readonly Submission[]
}

/** A claimed submission with the purpose of the claim. */
export interface Claim {
  readonly submission: Submission
  readonly purpose: ClaimPurpose
}

/** The purpose of a claim. GIVE_UP: the carrier that the message is pinned to was deleted. */
export type ClaimPurpose = 'SUBMIT' | 'MOVE' | 'GIVE_UP'

/** The delay of a message that no carrier takes: the first one, doubled each time up to the maximum. */
const noCarrierMs = 5000
const noCarrierMsMax = 120_000

/**
 * Prepares claimed messages. Scheduled messages become ACCEPTED, expired ones FAILED. Messages that were claimed
 * to be moved enter the queue of another carrier.
 */
export async function prepareSubmits(
  transaction: Transaction,
  claims: readonly Claim[],
  options: PrepareOptions,
): Promise<PreparedClaims> {
  const lost: Submission[] = []
  const returns = refunds(transaction, options.newId)
  const given = { ...options, returns }
  // Concurrently, so that a remote store gets all queries together. No message is claimed twice.
  const found = await Promise.all(
    claims.map((claim) => findClaimed(transaction, claim, options, lost)),
  )
  const claimed = found.filter((each) => each !== null)

  const blocked = await findBlocked(transaction, claimed)
  const made = await Promise.all(
    claimed.map((each) => prepareClaimed(transaction, each, blocked.has(each), given)),
  )
  const ready = made.filter((pending) => pending !== null)
  await rememberSenders(transaction, ready, options.now)
  await returns.settle(options.now)
  return { ready, lost }
}

/** The inputs with the refunds of messages that fail before they were sent. */
interface Preparing extends PrepareOptions {
  readonly returns: Refunds
}

/** Claims of a submission without a message: with their delays about an hour. */
const unseenClaimsMax = 34

/** Returns the claimed message; null if it is not visible or postponed. */
async function findClaimed(
  transaction: Transaction,
  { submission, purpose }: Claim,
  options: PrepareOptions,
  lost: Submission[],
): Promise<Claimed | null> {
  const { account, messageId, uncertain, place, attempt } = submission
  const kept = await findMessage(transaction.in(account), messageId)
  if (kept === null) {
    await postponeUnseen(transaction, submission, options.dueNow, lost)
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
  dueNow: Instant,
  lost: Submission[],
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
  options: Preparing,
): Promise<PendingSubmit | null> {
  const { purpose, kept } = claimed
  const pending = await prepareOne(transaction, claimed, blocked, options)
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
  options: PrepareOptions,
): Promise<PendingSubmit | null> {
  const { now, dueNow } = options
  const { account, kept } = pending
  const message = await recountParts(transaction, account, kept.message, options)
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
  options: PrepareOptions,
): Promise<void> {
  const { now, dueNow, routeOf } = options
  const { message } = kept
  const claimed = { account, messageId: message.id, attempt }
  const carrier = failoverCarrier(message, place, routeOf)
  const next =
    carrier === null
      ? null
      : await recountParts(transaction, account, { ...message, carrier }, options)
  if (carrier === null || next === null) {
    await transaction.submissions.settle(claimed, postponed(dueNow + waitMsAfter(attempt)))
    return
  }
  const moved = { ...kept, message: touched(next, now) }
  if (carrier !== message.carrier) {
    await saveMessage({ transaction, writer: transaction.in(account) }, moved, [], now)
  }
  const lane = queueNameText({ ...readQueueName(place.lane), carrier })
  await transaction.submissions.settle(claimed, { ...postponed(dueNow), queue: { ...place, lane } })
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

/** Prepares a claimed message and stores its statuses. Returns null if it is not submitted. */
async function prepareOne(
  transaction: Transaction,
  { account, kept, attempt, uncertain, purpose }: Claimed,
  blocked: boolean,
  { now, resubmit, returns }: Preparing,
): Promise<PendingSubmit | null> {
  const isGone = purpose === 'GIVE_UP'
  const next = decideSubmit(kept.message, { now, uncertain, resubmit, blocked, isGone })
  if (next === null) return null
  const { message, statuses } = next
  if (message === kept.message) return { account, kept, attempt }
  const writer = transaction.in(account)
  const writing = { transaction, writer }
  const saved = await saveMessage(writing, { ...kept, message }, statuses, now)
  if (message.status.type === 'ACCEPTED') return { account, kept: saved, attempt }
  if (!uncertain) returns.add(account, message)
  return null
}

/** Stores who sends from each address before it is sent: replies go to the only account that did. */
async function rememberSenders(
  transaction: Transaction,
  ready: readonly PendingSubmit[],
  now: Instant,
): Promise<void> {
  const used = new Map<string, { readonly from: string; readonly account: AccountId }>()
  for (const { account, kept } of ready) {
    const { from } = kept.message
    if (from !== '') used.set(`${from} ${account}`, { from, account })
  }
  // Write in a fixed order to avoid deadlocks.
  const inOrder = [...used].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(
    inOrder.map(([, { from, account }]) => transaction.in(account).sentFrom(from, now)),
  )
}
