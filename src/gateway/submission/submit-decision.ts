import type { AccountId } from '../../core/account.ts'
import type { NewId } from '../../core/id.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { QueueKey } from '../../core/ports/submissions.ts'
import { Problem } from '../../core/problem.ts'
import { timestamp } from '../../core/timestamp.ts'
import { simulatorId } from '../../collections/carriers.ts'
import { noResponse, type Message } from '../../collections/messages.ts'
import { findOptOuts, pairText, type OptOut } from '../../collections/opt-outs.ts'
import type { Routing } from '../carriers/routing.ts'
import { reserveAgain } from '../credits/credits.ts'
import { partsOf, type ContentDefaults } from '../messages/content.ts'
import {
  advance,
  resubmissions,
  resubmitted,
  validityEnd,
  withEntry,
  type StatusStep,
  type StoredMessage,
} from '../messages/stored-message.ts'
import { readQueueName } from './queue-key.ts'

/** The message as it is submitted or failed, with the statuses that it takes. */
export interface SubmitDecision {
  readonly message: Message
  readonly statuses: readonly Message[]
}

/** The inputs of the decision whether a claimed message is submitted. */
export interface DecisionInputs {
  readonly now: Instant
  /** True if the carrier may already have it. */
  readonly uncertain: boolean
  /** True if it is then sent again. */
  readonly resubmit: boolean
  /** True if its recipient has opted out. */
  readonly blocked: boolean
  /** True if the carrier that it is pinned to was deleted. */
  readonly isGone: boolean
}

/**
 * Decides the next status of a claimed message: ACCEPTED to be submitted, FAILED, or null if it is
 * final.
 */
export function decideSubmit(before: Message, given: DecisionInputs): SubmitDecision | null {
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
function failureOf(message: Message, given: DecisionInputs): StatusStep | null {
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

/** The default validity of a message, from the time it is due: 3 days. */
export const validityMs = 3 * 24 * 3_600_000

/** Returns until when receipts of a message are expected that was submitted at a time. */
export function receiptsEnd(message: Message, at: Instant): Instant {
  return validityEnd(message) ?? at + validityMs
}

/** Returns another carrier; never the simulator instead of a real one, since it would deliver nothing. */
export function failoverCarrier(
  { to, carrier }: Message,
  queue: QueueKey,
  routeOf: Routing['routeOf'],
): string | null {
  const name = readQueueName(queue.lane)
  if (name.pinned) return null
  // A message of an earlier version has a carrier, and waits in a queue that has none.
  const other = (name.carrier === null ? carrier : null) ?? routeOf(to)
  if (other === null || other === name.carrier) return null
  return other === simulatorId && name.carrier !== null ? null : other
}

/** Returns the messages whose recipients have opted out. Each account takes one query. */
export async function findBlocked<
  C extends { readonly account: AccountId; readonly kept: StoredMessage },
>(transaction: Transaction, claimed: readonly C[]): Promise<ReadonlySet<C>> {
  const blocked = new Set<C>()
  for (const [account, ofAccount] of Map.groupBy(claimed, (each) => each.account)) {
    const pairs = new Set(ofAccount.flatMap(({ kept }) => pairsOf(kept.message)))
    const found = await findOptOuts(transaction.in(account), [...pairs])
    const optedOut = new Set(found.map(({ doc }) => pairText(JSON.parse(doc) as OptOut)))
    if (optedOut.size === 0) continue
    for (const each of ofAccount) {
      if (pairsOf(each.kept.message).some((pair) => optedOut.has(pair))) blocked.add(each)
    }
  }
  return blocked
}

/** Returns the opt-outs that block a message: from its sender, or from every sender. */
function pairsOf({ to, from }: Message): readonly string[] {
  return [pairText({ address: to, sender: from }), pairText({ address: to, sender: null })]
}

/** The defaults that decide the number and the cost of parts. */
export type PartPricing = Pick<ContentDefaults, 'nationalLanguages' | 'schemeOf' | 'costOf'>

/** The inputs of a recount. */
export interface RecountOptions {
  /** Absent: the number of parts stays. */
  readonly pricing?: PartPricing | undefined
  readonly newId: NewId
  readonly now: Instant
}

/**
 * Counts the parts of a message for its present carrier, which may have changed since it was accepted.
 * A larger number replaces the one before, with its cost. Returns null if the credits do not suffice.
 */
export async function recountParts(
  transaction: Transaction,
  account: AccountId,
  message: Message,
  { pricing, newId, now }: RecountOptions,
): Promise<Message | null> {
  if (pricing === undefined) return message
  const numberOfParts = partsOf(message, pricing)
  if (numberOfParts <= message.numberOfParts) return message
  const creditCost = await pricing.costOf(transaction, { ...message, account, numberOfParts })
  const recounted = { ...message, numberOfParts, creditCost }
  if (creditCost === message.creditCost) return recounted
  try {
    await reserveAgain(recounted, { transaction, account, newId, at: now })
  } catch (error) {
    if (error instanceof Problem && error.problem === 'insufficient-credits') return null
    throw error
  }
  return recounted
}
