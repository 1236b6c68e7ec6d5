import type { AccountId } from './account.ts'
import type { Instant } from './clock.ts'
import type { PartOutcome } from './receipts.ts'

/** The encodings of a message's text: GSM 03.38, UCS-2 (as UTF-16), and octets written in hex. */
export type Encoding = 'TEXT' | 'UNICODE' | 'BINARY'

/** A message as a carrier is given it. */
export interface OutgoingMessage {
  readonly account: AccountId
  readonly id: string
  readonly from: string
  readonly to: string
  readonly body: string
  readonly encoding: Encoding
  readonly protocolId: number
  readonly messageClass: number
  readonly numberOfParts: number
  /** When its validity ends, if it does. */
  readonly validUntil: Instant | null
}

/** What became of handing a message over. */
export type SubmitOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  /** Refused for good; `detail` is the one of the status FAILED. */
  | { readonly kind: 'REJECTED'; readonly detail: string }
  /** Surely not taken; worth another attempt after the delay. */
  | { readonly kind: 'BUSY'; readonly retryAfterMs: number; readonly reason: string }
  /** Perhaps taken: the link broke before the answer. */
  | { readonly kind: 'UNCERTAIN'; readonly reason: string }

/** A receipt for a part that was submitted. */
export interface ReceiptEvent {
  readonly kind: 'RECEIPT'
  readonly carrierMessageId: string
  readonly outcome: PartOutcome
}

/** A message from outside. */
export interface IncomingEvent {
  readonly kind: 'INCOMING'
  readonly from: string
  readonly to: string
  readonly body: string
  readonly encoding: Encoding
  readonly protocolId: number
  readonly messageClass: number
  readonly numberOfParts: number
  /** The message that this one answers, where the carrier knows it. */
  readonly repliesTo: { readonly account: AccountId; readonly messageId: string } | null
}

/** What a carrier tells us of its own accord. */
export type CarrierEvent = ReceiptEvent | IncomingEvent

/** Where a carrier reports. The promise is kept when all events are durable, together. */
export type ReportEvents = (carrier: string, events: readonly CarrierEvent[]) => Promise<void>

/** A link to the outside. */
export interface Carrier extends AsyncDisposable {
  /** The identifier of its instance in the collection `carriers`. */
  readonly id: string
  /** Hands a message over; never throws. Gives up with UNCERTAIN when the signal is given. */
  submit(message: OutgoingMessage, signal: AbortSignal): Promise<SubmitOutcome>
  /**
   * Begins to report. `pending` lists what was submitted before this start and has no receipt yet,
   * for carriers that can ask after it.
   */
  start(report: ReportEvents, pending: () => AsyncIterable<PendingPart>): Promise<void>
}

/** A part that was submitted and has no outcome, with its message if that still exists. */
export interface PendingPart {
  readonly carrierMessageId: string
  readonly message: OutgoingMessage | null
}
