import type { AccountId } from '../account.ts'
import type { TakeCallback } from './callback.ts'
import type { Clock, Instant } from './clock.ts'
import type { Fields } from '../declaration/field.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json.ts'
import type { Log } from './log.ts'
import type { NationalLanguage } from '../national-language.ts'
import type { InputError } from '../problem.ts'
import type { Random } from './random.ts'
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
  /** Whether it was deleted meanwhile. A carrier in which it waits asks just before its first part would leave. */
  readonly isRecalled?: () => boolean
}

/** What became of handing a message over. */
export type SubmitOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  /** Refused for good; `detail` is the one of the status FAILED. `isBegun`: parts of it were taken before. */
  | { readonly kind: 'REJECTED'; readonly detail: string; readonly isBegun?: boolean }
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
  /**
   * The carrier's own identifier of it: the same message with the same one, within a day, is a
   * repetition. Null where the carrier gives none.
   */
  readonly carrierMessageId?: string | null
  /** The message that this one answers, where the carrier knows it. */
  readonly repliesTo: { readonly account: AccountId; readonly messageId: string } | null
}

/** A part of a message from outside that comes in several: they are joined when all have come. */
export interface IncomingPartEvent {
  readonly kind: 'INCOMING_PART'
  readonly from: string
  readonly to: string
  /** The same in all parts of a message, and of no other from this sender at the time. */
  readonly reference: string
  /** How many parts the message has. */
  readonly total: number
  /** Which of them this is, from 1. */
  readonly part: number
  readonly protocolId: number
  readonly content: PartContent
}

/** What a part carries, as it came: characters can be split between parts, so they are read together. */
export interface PartContent {
  /** SMPP's `data_coding`. */
  readonly dataCoding: number
  /** What octets with a data coding of 0 are at this carrier. */
  readonly defaultCharset: 'GSM' | 'ASCII' | 'LATIN1'
  /** The shift tables that the part's header names. */
  readonly locking: NationalLanguage | null
  readonly single: NationalLanguage | null
  /** What stands behind the header, in hex. */
  readonly octets: string
}

/** What a carrier tells us of its own accord. */
export type CarrierEvent = ReceiptEvent | IncomingEvent | IncomingPartEvent

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
  /** Notes what went wrong beside it, such as a callback that nobody understood, as its last error. */
  failed?(detail: string): void
  /**
   * Another node that had this carrier open has gone: what it waited for is among `pending`. For carriers
   * that keep in memory what is to come.
   */
  resume?(pending: () => AsyncIterable<PendingPart>): Promise<void>
  /** How it is just now. Cheap: it is asked for every message that looks for its way. */
  condition(): CarrierCondition
}

/** How a carrier is just now. */
export interface CarrierCondition {
  /** STOPPED where it is not active or was disposed; DOWN where it cannot be reached. */
  readonly state: 'BOUND' | 'CONNECTING' | 'DOWN' | 'STOPPED'
  /** Why it is not BOUND, for people; null where it is. */
  readonly stateReason: string | null
  /** Since when the state holds. */
  readonly since: Instant
  /** Parts that were handed over and are not answered yet. */
  readonly inFlight: number
  /** Links that are bound, and the most parts that may wait for an answer over them; for carriers with links. */
  readonly links?: { readonly bound: number; readonly window: number }
  /** Parts handed over a second, over the last seconds. */
  readonly partsPerSecond: number
  /** What last went wrong, or null. */
  readonly lastError: { readonly at: Instant; readonly detail: string } | null
}

/** What is counted of carriers. */
export interface CarrierCounts {
  /** A part was answered; `status` is what the carrier calls the answer, UNANSWERED where none came. */
  submitted(carrier: string, status: string): void
  /** The carrier asked for less at a time. */
  throttled(carrier: string): void
  /** A receipt is durable. */
  receipted(carrier: string, match: ReceiptMatch): void
}

/**
 * What a receipt found. UNMATCHED: no part yet, it is kept. REPEATED: a part of which all was known. LATE:
 * one that was given up before.
 */
export type ReceiptMatch = 'MATCHED' | 'UNMATCHED' | 'REPEATED' | 'LATE'

/** What a carrier works with besides its settings. */
export interface CarrierGround {
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /** The languages whose shift tables a `TEXT` may be written with; none where nothing is said. */
  readonly nationalLanguages?: readonly NationalLanguage[]
  readonly counts?: CarrierCounts
}

/** A kind of link to the outside, such as SMPP: what it is set up with, and how it is opened. */
export interface CarrierType {
  /** As in the field `type` of the collection `carriers`. */
  readonly type: string
  /** The fields of `settings`; secrets are write-only. */
  readonly settings: Fields
  /** What is wrong with settings that keep to the fields above; pointers begin below `settings`. */
  faults?(settings: JsonObject): readonly InputError[]
  /**
   * Opens one. `settings` were read after the fields above, defaults filled in, secrets included.
   * It does nothing until it is started.
   */
  open(id: string, settings: JsonObject, ground: CarrierGround): Carrier
  /** Makes what takes the callbacks of one, open or not. Absent where no provider ever calls back. */
  receive?(id: string, settings: JsonObject, ground: ReceivingGround): TakeCallback
}

/** What taking callbacks works with. */
export interface ReceivingGround {
  readonly log: Log
  /** Makes events durable, all of them or none. */
  readonly report: (events: readonly CarrierEvent[]) => Promise<void>
  /** Told of what is odd about a callback. */
  readonly onFault: (detail: string) => void
}

/** A part that was submitted and has no outcome, with its message if that still exists. */
export interface PendingPart {
  readonly carrierMessageId: string
  readonly message: OutgoingMessage | null
}
