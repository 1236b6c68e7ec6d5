import type { Instant } from '../../core/ports/clock.ts'
import type { ExpectedReceipt, PartOutcome } from '../../core/ports/receipts.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { messages, noResponse } from '../../collections/messages.ts'
import type { Returns } from '../credits/credits.ts'
import { validityMs, type PendingSubmit } from './due.ts'
import { readMessage, saveMessage, type KeptMessage } from '../messages/stored-message.ts'
import { validityEnd } from './outgoing.ts'
import { outcomeOfParts, supersedes } from '../reports/receipt.ts'
import { advance, type Step } from '../messages/status.ts'

/** What is known of a hand-over when it has ended. */
export type KnownOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  | { readonly kind: 'REJECTED'; readonly detail: string; readonly isBegun?: boolean }
  /** Surely not taken; due again. */
  | { readonly kind: 'POSTPONED'; readonly dueAt: Instant }
  /** Perhaps taken, as before; due again, or given up where `dueAt` is null. */
  | { readonly kind: 'UNANSWERED'; readonly dueAt: Instant | null }

/** A hand-over with what became of it. */
export interface HandedOver {
  readonly handOver: PendingSubmit
  readonly carrier: string
  readonly outcome: KnownOutcome
}

/** What an outcome is written with. */
export interface Writing {
  readonly at: Instant
  /** Takes what was refused whole, and what was deleted before it left. */
  readonly returns: Returns
}

/**
 * Writes down what became of a hand-over: status, receipts to expect, end of the submission. Returns
 * until when receipts are expected, or null where none are. Where the claim ran out and somebody else
 * has claimed the message since, it is theirs to say what becomes of it; but what the carrier took has
 * receipts all the same, and they are the message's.
 */
export async function writeOutcome(
  transaction: Transaction,
  handedOver: HandedOver,
  writing: Writing,
): Promise<Instant | null> {
  const { handOver, outcome } = handedOver
  const { account } = handOver
  const kept = await current(transaction, handOver)
  if (kept === null) {
    if (hasNotLeft(outcome)) writing.returns.add(account, handOver.kept.message)
    return null
  }

  const claimed = { account, messageId: kept.message.id, attempt: handOver.attempt }
  if (outcome.kind === 'POSTPONED') {
    await transaction.submissions.postpone(claimed, outcome.dueAt)
    return null
  }
  if (outcome.kind === 'UNANSWERED' && outcome.dueAt !== null) {
    await transaction.submissions.extendClaim(claimed, outcome.dueAt)
    return null
  }
  const isOurs = await transaction.submissions.finish(claimed)
  const now: HandedOver = { ...handedOver, handOver: { ...handOver, kept } }
  if (outcome.kind === 'SUBMITTED') {
    return writeSubmitted(transaction, now, outcome.carrierMessageIds, isOurs, writing)
  }
  // What another claim handed over is with the carrier all the same.
  if (handOver.attempt > 0 && isOurs && (await hasParts(transaction, now.handOver))) {
    return writeSubmitted(transaction, now, [], isOurs, writing)
  }
  const message = isOurs ? advance(kept.message, endOf(outcome), writing.at) : null
  if (message === null) return null
  await saveMessage(transaction.in(account), { ...kept, message }, [message], writing.at)
  if (hasNotLeft(outcome)) writing.returns.add(account, message)
  return null
}

/** Records SENT and, if early receipts are stored for all parts, their status: the message is saved once. */
async function writeSubmitted(
  transaction: Transaction,
  handedOver: HandedOver,
  carrierMessageIds: readonly string[],
  isOurs: boolean,
  { at }: Writing,
): Promise<Instant> {
  const { account, kept } = handedOver.handOver
  const expiresAt = validityEnd(kept.message) ?? at + validityMs
  const outcomes: (PartOutcome | null)[] = []
  for (const [index, carrierMessageId] of carrierMessageIds.entries()) {
    const part = { part: index + 1, carrierMessageId }
    // Where the claim is not ours any more, this may have been written before, and its receipt come.
    const known = isOurs ? null : await knownOutcome(transaction, handedOver, carrierMessageId)
    outcomes.push(await expectReceipt(transaction, handedOver, part, known, expiresAt))
  }

  const sent = isOurs ? advance(kept.message, { type: 'SENT', detail: null }, at) : null
  if (sent === null && kept.message.status.type === 'ACCEPTED') return expiresAt
  const whole = await wholeOutcome(transaction, handedOver, outcomes)
  const known = whole && advance(sent ?? kept.message, whole, at)
  const statuses = [sent, known].filter((message) => message !== null)
  const message = statuses.at(-1)
  if (message !== undefined) {
    await saveMessage(transaction.in(account), { ...kept, message }, statuses, at)
  }
  return expiresAt
}

/** Whether no part of it was taken in this hand-over. */
function hasNotLeft(outcome: KnownOutcome): boolean {
  return outcome.kind === 'POSTPONED' || (outcome.kind === 'REJECTED' && outcome.isBegun !== true)
}

function endOf(outcome: Exclude<KnownOutcome, { kind: 'SUBMITTED' | 'POSTPONED' }>): Step {
  if (outcome.kind === 'REJECTED') return { type: 'FAILED', detail: outcome.detail }
  return { type: 'UNKNOWN', detail: noResponse }
}

/** The message as it is now; null where it was deleted since, even if another has its identifier. */
async function current(
  transaction: Transaction,
  { account, kept }: PendingSubmit,
): Promise<KeptMessage | null> {
  const stored = await transaction.in(account).find(messages, { id: kept.message.id })
  if (stored === null) return null
  if (stored.doc === kept.doc) return kept
  const found = readMessage(stored)
  return found.message.submission.id === kept.message.submission.id ? found : null
}

async function hasParts(
  { receipts }: Transaction,
  { account, kept }: PendingSubmit,
): Promise<boolean> {
  return (await receipts.parts(account, kept.message.id)).length > 0
}

/** What is known of a part of this very message; null where nothing is. */
async function knownOutcome(
  { receipts }: Transaction,
  { handOver: { account, kept }, carrier }: HandedOver,
  carrierMessageId: string,
): Promise<PartOutcome | null> {
  const known = await receipts.find(carrier, carrierMessageId)
  const isSame = known?.account === account && known.messageId === kept.message.id
  return isSame ? known.outcome : null
}

/** Expects the receipt of a part; returns what those say of it that came before. */
async function expectReceipt(
  { receipts }: Transaction,
  { handOver, carrier }: HandedOver,
  { part, carrierMessageId }: Pick<ExpectedReceipt, 'part' | 'carrierMessageId'>,
  known: PartOutcome | null,
  expiresAt: Instant,
): Promise<PartOutcome | null> {
  const { account, kept } = handOver
  const expected = { account, messageId: kept.message.id, carrier, carrierMessageId, part }
  let outcome = known
  for (const receipt of await receipts.take(carrier, carrierMessageId)) {
    if (supersedes(receipt.outcome, outcome)) outcome = receipt.outcome
  }
  await receipts.expect({ ...expected, outcome }, expiresAt)
  return outcome
}

/** What the parts make of the message. One that was claimed before may have other copies of them. */
async function wholeOutcome(
  { receipts }: Transaction,
  { handOver }: HandedOver,
  outcomes: readonly (PartOutcome | null)[],
): Promise<PartOutcome | null> {
  const { account, kept, attempt } = handOver
  const [first = null] = outcomes
  if (attempt === 0 && outcomes.length === 1) return first
  if (attempt === 0 && outcomes.every((outcome) => outcome === null)) return null
  return outcomeOfParts(await receipts.parts(account, kept.message.id))
}
