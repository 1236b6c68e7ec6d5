import type { Instant } from '../../core/ports/clock.ts'
import type { ExpectedReceipt, PartOutcome } from '../../core/ports/receipts.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { messages, noResponse, type Message } from '../../collections/messages.ts'
import type { Refunds } from '../credits/credits.ts'
import type { PendingSubmit } from './prepare-submits.ts'
import { receiptsEnd } from './submit-decision.ts'
import {
  readMessage,
  saveMessage,
  type StoredMessage,
  advance,
  withReport,
  type StatusStep,
} from '../messages/stored-message.ts'
import { outcomeOfParts, type Receipt, supersedes } from '../reports/receipt.ts'

/** The known outcome of a submit. */
export type KnownOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  | {
      readonly kind: 'REJECTED'
      readonly detail: string
      readonly code?: string | null
      readonly isBegun?: boolean
    }
  /** Not taken; due again. */
  | { readonly kind: 'POSTPONED'; readonly dueAt: Instant }
  /** Possibly taken, as in the submit before; due again, or given up if `dueAt` is null. */
  | { readonly kind: 'UNANSWERED'; readonly dueAt: Instant | null }

/** A submit with its outcome. */
export interface SubmitResult {
  readonly pending: PendingSubmit
  readonly carrier: string
  readonly outcome: KnownOutcome
}

/** The context of storing outcomes. */
export interface OutcomeContext {
  readonly at: Instant
  /** Collects messages that were refused whole, or deleted before they were sent. */
  readonly returns: Refunds
  /** Receipts that came since the carrier took the message. */
  readonly receipts: readonly Receipt[]
}

/**
 * Stores the outcome of a submit: status, expected receipts, end of the submission. Returns until
 * when receipts are expected, or null. If the claim expired and another one followed, that one
 * decides the status; but receipts of what the carrier took in this submit are expected too.
 */
export async function writeOutcome(
  transaction: Transaction,
  result: SubmitResult,
  writing: OutcomeContext,
): Promise<Instant | null> {
  const { pending, outcome } = result
  const { account } = pending
  const kept = await current(transaction, pending)
  if (kept === null) {
    if (hasNotLeft(outcome)) writing.returns.add(account, pending.kept.message)
    return null
  }

  const claimed = { account, messageId: kept.message.id, attempt: pending.attempt }
  if (outcome.kind === 'POSTPONED') {
    await transaction.submissions.settle(claimed, outcome)
    return null
  }
  if (outcome.kind === 'UNANSWERED' && outcome.dueAt !== null) {
    await transaction.submissions.settle(claimed, { kind: 'EXTENDED', dueAt: outcome.dueAt })
    return null
  }
  const isOurs = await transaction.submissions.settle(claimed, { kind: 'FINISHED' })
  const now: SubmitResult = { ...result, pending: { ...pending, kept } }
  if (outcome.kind === 'SUBMITTED') {
    return writeSubmitted(transaction, now, outcome.carrierMessageIds, isOurs, writing)
  }
  // The carrier still has what another claim submitted.
  if (pending.attempt > 0 && isOurs && (await hasParts(transaction, now.pending))) {
    return writeSubmitted(transaction, now, [], isOurs, writing)
  }
  const message = isOurs ? advance(kept.message, endOf(outcome), writing.at) : null
  if (message === null) return null
  const writer = transaction.in(account)
  await saveMessage({ transaction, writer }, { ...kept, message }, [message], writing.at)
  if (hasNotLeft(outcome)) writing.returns.add(account, message)
  return null
}

/** Records SENT and, if early receipts are stored for all parts, their status: the message is saved once. */
async function writeSubmitted(
  transaction: Transaction,
  result: SubmitResult,
  carrierMessageIds: readonly string[],
  isOurs: boolean,
  { at, receipts }: OutcomeContext,
): Promise<Instant> {
  const { account, kept } = result.pending
  const expiresAt = receiptsEnd(kept.message, at)
  const early: EarlyReceipts[] = []
  for (const [index, carrierMessageId] of carrierMessageIds.entries()) {
    const own = receipts.filter((receipt) => receipt.carrierMessageId === carrierMessageId)
    const part = { part: index + 1, carrierMessageId, receipts: own }
    // If the claim has expired, a later one may have stored this part and its receipt.
    const known = isOurs ? null : await knownOutcome(transaction, result, carrierMessageId)
    early.push(await expectReceipt(transaction, result, part, known, expiresAt))
  }

  const sent = isOurs ? advance(kept.message, { type: 'SENT', detail: null }, at) : null
  if (sent === null && kept.message.status.type === 'ACCEPTED') return expiresAt
  const whole = await wholeOutcome(
    transaction,
    result,
    early.map(({ outcome }) => outcome),
  )
  const reported = withReports(sent ?? kept.message, early, at)
  const code = early.findLast(({ outcome }) => outcome?.type === whole?.type)?.code ?? null
  const known = whole && advance(reported, { ...whole, code }, at)
  const message = known ?? reported
  if (message !== kept.message) {
    const statuses = [sent, known].filter((status) => status !== null)
    const writer = transaction.in(account)
    await saveMessage({ transaction, writer }, { ...kept, message }, statuses, at)
  }
  return expiresAt
}

function withReports(message: Message, early: readonly EarlyReceipts[], at: Instant): Message {
  return early
    .flatMap(({ reports }) => reports)
    .reduce((before, report) => withReport(before, report, at) ?? before, message)
}

/** Returns whether the carrier took no part in this submit. */
function hasNotLeft(outcome: KnownOutcome): boolean {
  return outcome.kind === 'POSTPONED' || (outcome.kind === 'REJECTED' && outcome.isBegun !== true)
}

function endOf(outcome: Exclude<KnownOutcome, { kind: 'SUBMITTED' | 'POSTPONED' }>): StatusStep {
  if (outcome.kind === 'REJECTED') {
    return { type: 'FAILED', detail: outcome.detail, code: outcome.code ?? null }
  }
  return { type: 'UNKNOWN', detail: noResponse }
}

/** Returns the message as it is now; null if deleted, even if another one has its identifier. */
async function current(
  transaction: Transaction,
  { account, kept }: PendingSubmit,
): Promise<StoredMessage | null> {
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

/** Returns the known outcome of a part of this very message, or null. */
async function knownOutcome(
  { receipts }: Transaction,
  { pending: { account, kept }, carrier }: SubmitResult,
  carrierMessageId: string,
): Promise<PartOutcome | null> {
  const parts = await receipts.parts(account, kept.message.id)
  const isSame = (part: ExpectedReceipt): boolean =>
    part.carrier === carrier && part.carrierMessageId === carrierMessageId
  return parts.find(isSame)?.outcome ?? null
}

/** The receipts of a part that came before its submit was stored. */
interface EarlyReceipts {
  readonly outcome: PartOutcome | null
  /** The code of the outcome. */
  readonly code: string | null
  readonly reports: readonly { readonly detail: string; readonly code: string | null }[]
}

/** A part that the carrier has taken, and the receipts of it that join its outcome. */
interface TakenPart extends Pick<ExpectedReceipt, 'part' | 'carrierMessageId'> {
  readonly receipts: readonly Receipt[]
}

/** Stores that the receipt of a part is expected, and its outcome. Returns the receipts that came before. */
async function expectReceipt(
  { receipts }: Transaction,
  { pending, carrier }: SubmitResult,
  { part, carrierMessageId, receipts: joined }: TakenPart,
  known: PartOutcome | null,
  expiresAt: Instant,
): Promise<EarlyReceipts> {
  const { account, kept } = pending
  const expected = { account, messageId: kept.message.id, carrier, carrierMessageId, part }
  const before = summedUp(known, joined)
  const stored = await receipts.expect({ ...expected, outcome: before.outcome }, expiresAt)
  if (stored.length === 0) return before
  const all = summedUp(known, [...stored, ...joined])
  if (all.outcome !== null && all.outcome !== before.outcome) {
    await receipts.settle(expected, all.outcome)
  }
  return all
}

/** Sums up receipts of a part with a known outcome. */
function summedUp(known: PartOutcome | null, receipts: readonly Receipt[]): EarlyReceipts {
  let [outcome, code]: [PartOutcome | null, string | null] = [known, null]
  const reports: EarlyReceipts['reports'][number][] = []
  for (const { outcome: early, code: own } of receipts) {
    if (early.type === 'SENT') reports.push({ detail: early.detail, code: own })
    else if (supersedes(early, outcome)) [outcome, code] = [early, own]
  }
  return { outcome, code, reports }
}

/**
 * Combines the outcomes of the parts. A message that was claimed before may have other copies of
 * them.
 */
async function wholeOutcome(
  { receipts }: Transaction,
  { pending }: SubmitResult,
  outcomes: readonly (PartOutcome | null)[],
): Promise<PartOutcome | null> {
  const { account, kept, attempt } = pending
  const [first = null] = outcomes
  if (attempt === 0 && outcomes.length === 1) return first
  if (attempt === 0 && outcomes.every((outcome) => outcome === null)) return null
  return outcomeOfParts(await receipts.parts(account, kept.message.id))
}
