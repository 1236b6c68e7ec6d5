import type { AccountId } from '../../core/account.ts'
import type { PendingPart, ReceiptMatch } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { UnmatchedReceipt, ExpectedReceipt, PartOutcome } from '../../core/ports/receipts.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import {
  advance,
  findMessage,
  outgoingMessage,
  saveMessage,
  withReport,
} from '../messages/stored-message.ts'

/** A receipt: the outcome or the state of one part, and the carrier's code. */
export type Receipt = Pick<UnmatchedReceipt, 'carrier' | 'carrierMessageId' | 'outcome' | 'code'>

/**
 * Applies a receipt to its part, of an account if that is known. Returns whether the part exists, and whether the
 * receipt is new.
 */
export async function applyReceipt(
  transaction: Transaction,
  receipt: UnmatchedReceipt,
  at: Instant,
  account: AccountId | null,
): Promise<ReceiptMatch> {
  const found = await transaction.receipts.match(receipt, account)
  return typeof found === 'string' ? found : applyToPart(transaction, found, receipt, at)
}

/** Applies a receipt to a part that was just read. */
export async function applyToPart(
  transaction: Transaction,
  part: ExpectedReceipt,
  { outcome, code }: Pick<Receipt, 'outcome' | 'code'>,
  at: Instant,
): Promise<ReceiptMatch> {
  if (outcome.type === 'SENT') {
    return applyReport(transaction, part, { detail: outcome.detail, code }, at)
  }
  if (!supersedes(outcome, part.outcome)) return 'REPEATED'
  await applyOutcome(transaction, part, outcome, { code, at })
  return part.outcome === null ? 'MATCHED' : 'LATE'
}

/** Adds an intermediate report to the history. No notification: the status stays. */
async function applyReport(
  transaction: Transaction,
  { account, messageId, outcome }: ExpectedReceipt,
  report: { readonly detail: string; readonly code: string | null },
  at: Instant,
): Promise<ReceiptMatch> {
  const writer = transaction.in(account)
  const kept = outcome === null ? await findMessage(writer, messageId) : null
  const message = kept && withReport(kept.message, report, at)
  if (kept === null || message === null) return 'REPEATED'
  await saveMessage({ transaction, writer }, { ...kept, message }, [], at)
  return 'MATCHED'
}

/** Applies an outcome to a part and its message. */
async function applyOutcome(
  transaction: Transaction,
  part: ExpectedReceipt,
  outcome: PartOutcome,
  { code, at }: { readonly code: string | null; readonly at: Instant },
): Promise<void> {
  await transaction.receipts.settle(part, outcome)

  const writer = transaction.in(part.account)
  const kept = await findMessage(writer, part.messageId)
  // While another copy is in flight, its outcome decides.
  if (kept === null || kept.message.status.type === 'ACCEPTED') return
  // A message of one part is delivered with any of its copies.
  const isWhole = kept.message.numberOfParts === 1 && outcome.type === 'DELIVERED'
  const whole = isWhole
    ? outcome
    : outcomeOfParts(await transaction.receipts.parts(part.account, part.messageId))
  const message = whole && advance(kept.message, { ...whole, code }, at)
  if (message === null) return
  await saveMessage({ transaction, writer }, { ...kept, message }, [message], at)
}

/** Returns whether an outcome is more informative than the known one. */
export function supersedes(outcome: PartOutcome, known: PartOutcome | null): boolean {
  return known === null || (known.type === 'UNKNOWN' && outcome.type !== 'UNKNOWN')
}

/**
 * Combines the outcomes of its parts: FAILED if any part is, else null until each part has an
 * outcome; then DELIVERED if every part is, else UNKNOWN. If a part was submitted more than once,
 * one delivered copy is enough, and it has not failed while another copy may still be delivered.
 */
export function outcomeOfParts(parts: readonly ExpectedReceipt[]): PartOutcome | null {
  const copies = Map.groupBy(parts, ({ part }) => part)
  const outcomes = [...copies.values()].map(outcomeOfCopies)
  const failed = outcomes.find((outcome) => outcome?.type === 'FAILED')
  if (failed) return failed
  if (outcomes.includes(null)) return null
  const unknown = outcomes.find((outcome) => outcome?.type === 'UNKNOWN')
  return unknown ?? outcomes[0] ?? null
}

function outcomeOfCopies(copies: readonly ExpectedReceipt[]): PartOutcome | null {
  const outcomes = copies.map(({ outcome }) => outcome)
  const delivered = outcomes.find((outcome) => outcome?.type === 'DELIVERED')
  if (delivered) return delivered
  if (outcomes.includes(null)) return null
  const unknown = outcomes.find((outcome) => outcome?.type === 'UNKNOWN')
  return unknown ?? outcomes[0] ?? null
}

/** The number of parts in one read: large, since a store scans all of them for each page. */
const pageSize = 5000

/** Iterates over the parts of a carrier that have no outcome yet. */
export async function* pendingParts(store: Store, carrier: string): AsyncIterable<PendingPart> {
  let after: string | null = null
  do {
    const page: readonly PendingPart[] = await readPage(store, carrier, after)
    yield* page
    after = page.length === pageSize ? (page.at(-1)?.carrierMessageId ?? null) : null
  } while (after !== null)
}

function readPage(
  store: Store,
  carrier: string,
  after: string | null,
): Promise<readonly PendingPart[]> {
  return store.transact(async (transaction) => {
    const page: PendingPart[] = []
    for (const part of await transaction.receipts.pending(carrier, after, pageSize)) {
      page.push(await pendingPart(transaction, part))
    }
    return page
  })
}

async function pendingPart(
  transaction: Transaction,
  { account, messageId, carrierMessageId }: ExpectedReceipt,
): Promise<PendingPart> {
  const kept = await findMessage(transaction.in(account), messageId)
  return { carrierMessageId, message: kept && outgoingMessage(account, kept) }
}
