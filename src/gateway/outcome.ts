import type { Instant } from '../core/clock.ts'
import type { Transaction } from '../core/store.ts'
import { messages } from '../collections/messages.ts'
import type { Returns } from './credits.ts'
import { validityMs, type HandOver } from './due.ts'
import { readMessage, saveMessage, type KeptMessage } from './kept-message.ts'
import { validityEnd } from './outgoing.ts'
import { applyReceipt } from './receipt.ts'
import { advance, type Step } from './status.ts'

/** What is known of a hand-over when it has ended. */
export type KnownOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  | { readonly kind: 'REJECTED'; readonly detail: string; readonly isBegun?: boolean }
  /** Surely not taken; due again. */
  | { readonly kind: 'POSTPONED'; readonly dueAt: Instant }

/** A hand-over with what became of it. */
export interface HandedOver {
  readonly handOver: HandOver
  readonly carrier: string
  readonly outcome: KnownOutcome
}

/**
 * Writes down what became of a hand-over: status, receipts to expect, end of the submission; what was
 * refused whole is added to `returns`.
 * Returns until when receipts are expected, or null where none are. Writes nothing where the claim
 * ran out and somebody else has claimed the message since: what becomes of it is theirs to say.
 */
export async function writeOutcome(
  transaction: Transaction,
  handedOver: HandedOver,
  at: Instant,
  returns: Returns,
): Promise<Instant | null> {
  const { handOver, outcome } = handedOver
  const { account } = handOver
  const kept = await current(transaction, handOver)
  if (kept === null) return null

  const claimed = { account, messageId: kept.message.id, attempt: handOver.attempt }
  if (outcome.kind === 'POSTPONED') {
    await transaction.submissions.postpone(claimed, outcome.dueAt)
    return null
  }
  if (!(await transaction.submissions.finish(claimed))) return null
  const message = advance(kept.message, stepOf(outcome), at)
  if (message === null) return null
  await saveMessage(transaction.in(account), { ...kept, message }, [message], at)
  if (outcome.kind === 'REJECTED') {
    if (outcome.isBegun !== true) returns.add(account, message)
    return null
  }
  return expectReceipts(transaction, handedOver, outcome.carrierMessageIds, at)
}

function stepOf(outcome: Exclude<KnownOutcome, { kind: 'POSTPONED' }>): Step {
  return outcome.kind === 'SUBMITTED'
    ? { type: 'SENT', detail: null }
    : { type: 'FAILED', detail: outcome.detail }
}

/** The message as it is now; null where it was deleted since, even if another has its identifier. */
async function current(
  transaction: Transaction,
  { account, kept }: HandOver,
): Promise<KeptMessage | null> {
  const stored = await transaction.in(account).find(messages, { id: kept.message.id })
  if (stored === null) return null
  if (stored.doc === kept.doc) return kept
  const found = readMessage(stored)
  return found.message.submission.id === kept.message.submission.id ? found : null
}

/** Those that came before they were expected are applied at once. */
async function expectReceipts(
  transaction: Transaction,
  { handOver, carrier }: HandedOver,
  carrierMessageIds: readonly string[],
  at: Instant,
): Promise<Instant> {
  const { account, kept } = handOver
  const { receipts } = transaction
  const expected = { account, messageId: kept.message.id, carrier, outcome: null }
  const expiresAt = validityEnd(kept.message) ?? at + validityMs
  for (const [index, carrierMessageId] of carrierMessageIds.entries()) {
    await receipts.expect({ ...expected, part: index + 1, carrierMessageId }, expiresAt)
  }
  for (const carrierMessageId of carrierMessageIds) {
    for (const early of await receipts.take(carrier, carrierMessageId)) {
      await applyReceipt(transaction, early, at)
    }
  }
  return expiresAt
}
