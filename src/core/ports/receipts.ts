import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'

/** Outcome of a part in a receipt: a status type and its detail. */
export interface PartOutcome {
  readonly type: 'DELIVERED' | 'FAILED' | 'UNKNOWN'
  readonly detail: string | null
}

/** Report of a receipt: an outcome, or the state of a part that is on its way. */
export type ReceiptOutcome = PartOutcome | { readonly type: 'SENT'; readonly detail: string }

/** A part at a carrier, whose receipt is expected. */
export interface ExpectedReceipt {
  readonly account: AccountId
  readonly messageId: string
  /** From 1. */
  readonly part: number
  readonly carrier: string
  /** The carrier's own identifier of the part. */
  readonly carrierMessageId: string
  /** Null until a receipt settles it. */
  readonly outcome: PartOutcome | null
}

/** Whose part has an identifier of a carrier, and until when its receipt is expected. */
export type RoutedPart = PartKey & { readonly expiresAt: Instant }

/** The directory by which a distributed store finds the account of a receipt. */
export interface ReceiptRoutes {
  /** Remembers parts, in separate commits, before their receipts are expected. */
  remember(parts: readonly RoutedPart[]): Promise<void>
  accountOf(carrier: string, carrierMessageId: string): Promise<AccountId | null>
}

/** The names of a part. */
export type PartKey = Pick<ExpectedReceipt, 'account' | 'carrier' | 'carrierMessageId'>

/** Receipt whose part is not known, as received. */
export interface UnmatchedReceipt {
  readonly carrier: string
  readonly carrierMessageId: string
  readonly outcome: ReceiptOutcome
  /** The carrier's code, or null. */
  readonly code: string | null
  readonly receivedAt: Instant
}

/** A part whose receipt did not come in time. */
export interface OverduePart extends ExpectedReceipt {
  /** Receipts that came before another server expected the part, in order of arrival. */
  readonly early: readonly UnmatchedReceipt[]
}

/** Parts whose receipts did not come in time. */
export interface OverdueParts {
  readonly parts: readonly OverduePart[]
  /** When the next part is overdue; null if no other is expected. */
  readonly nextAt: Instant | null
}

/** The receipts to correlate: parts by the carrier's identifier, and receipts that came too early. */
export interface Receipts {
  /**
   * Expects a receipt until `expiresAt`; after that the part is listed as overdue. Removes and returns the
   * receipts that came before, in order of arrival: the caller applies them. A concurrent receipt waits for
   * the end of the transaction, and then finds the part.
   */
  expect(part: ExpectedReceipt, expiresAt: Instant): Promise<readonly UnmatchedReceipt[]>
  /**
   * Returns the part of a receipt, of `account` if that is known. If none matches yet, it stores the receipt
   * for `expect`: REPEATED if one with this outcome is stored already.
   */
  match(
    receipt: UnmatchedReceipt,
    account: AccountId | null,
  ): Promise<ExpectedReceipt | 'UNMATCHED' | 'REPEATED'>
  /** Sets the outcome of a part; it is no longer overdue. */
  settle(part: PartKey, outcome: PartOutcome): Promise<void>
  /** All parts of a message, by part. */
  parts(account: AccountId, messageId: string): Promise<readonly ExpectedReceipt[]>
  /** Counts the unmatched receipts, up to `limit`. */
  unmatched(limit: number): Promise<number>
  /**
   * Parts without outcome whose time was over at `now`, the oldest first, and the time of the next one.
   * Removes the receipts that came early, as `expect` does.
   */
  overdue(now: Instant, limit: number): Promise<OverdueParts>
  /** Parts of a carrier that have no outcome, after the one given, ordered by the carrier's identifier. */
  pending(carrier: string, after: string | null, limit: number): Promise<readonly ExpectedReceipt[]>
}
