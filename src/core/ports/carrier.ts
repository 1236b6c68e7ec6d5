import type { AccountId } from '../account.ts'
import type { TakeCallback } from './callback.ts'
import type { Clock, Instant } from './clock.ts'
import type { Fields } from '../declaration/field.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json.ts'
import type { Log } from './log.ts'
import type { NationalLanguage, PartScheme } from '../part-scheme.ts'
import type { InputError } from '../problem.ts'
import type { Random } from './random.ts'
import type { ReceiptOutcome } from './receipts.ts'

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
  /** From 0 to 3; a higher number is more urgent. */
  readonly priority: number
  /** The client's identifier of it, or null. */
  readonly userSuppliedId: string | null
  /** When its validity ends, if it does. */
  readonly validUntil: Instant | null
  /** The request that created it, as `correlationText`; null or absent if none is known. */
  readonly correlation?: string | null
  /**
   * Returns true if the message was deleted. A carrier with a queue asks directly before the first
   * part leaves.
   */
  readonly isRecalled?: () => boolean
}

/** Outcome of submitting a message. */
export type SubmitOutcome =
  | { readonly kind: 'SUBMITTED'; readonly carrierMessageIds: readonly string[] }
  /**
   * Refused for good; `detail` is the one of the status FAILED, `code` the carrier's own. `isBegun`:
   * parts of it were taken before.
   */
  | {
      readonly kind: 'REJECTED'
      readonly detail: string
      readonly code?: string | null
      readonly isBegun?: boolean
    }
  /** The carrier did not take it; a retry after the delay makes sense. */
  | { readonly kind: 'BUSY'; readonly retryAfterMs: number; readonly reason: string }
  /** Perhaps taken: the link broke before the answer. */
  | { readonly kind: 'UNCERTAIN'; readonly reason: string }

/** A receipt for a part that was submitted. */
export interface ReceiptEvent {
  readonly kind: 'RECEIPT'
  readonly carrierMessageId: string
  readonly outcome: ReceiptOutcome
  /** The carrier's own code, if it has one. */
  readonly code?: string | null
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
  /** Number of parts of the message. */
  readonly total: number
  /** Which of them this is, from 1. */
  readonly part: number
  readonly protocolId: number
  readonly content: PartContent
}

/** Content of a part, as received: parts can split characters, so they are decoded together. */
export interface PartContent {
  /** SMPP's `data_coding`. */
  readonly dataCoding: number
  /** This carrier's character set for a data coding of 0. */
  readonly defaultCharset: 'GSM' | 'ASCII' | 'LATIN1'
  /** The shift tables that the part's header names. */
  readonly locking: NationalLanguage | null
  readonly single: NationalLanguage | null
  /** User data after the header, in hex. */
  readonly octets: string
}

/** Event that a carrier reports. */
export type CarrierEvent = ReceiptEvent | IncomingEvent | IncomingPartEvent

/**
 * Receives a carrier's events. The promise resolves when all of them are durable. If it rejects, the carrier
 * must report them again: all, or those of an `EventsNotStored`. A receipt may precede the outcome of its
 * submit. The implementation is `report` in `src/gateway/reports/`.
 */
export type ReportEvents = (carrier: string, events: readonly CarrierEvent[]) => Promise<void>

/** A link to the outside. */
export interface Carrier extends AsyncDisposable {
  /** The identifier of its instance in the collection `carriers`. */
  readonly id: string
  /** Hands a message over; never throws. Gives up with UNCERTAIN when the signal is given. */
  submit(message: OutgoingMessage, signal: AbortSignal): Promise<SubmitOutcome>
  /**
   * Starts reporting. `pending` lists parts that were submitted before this start and have no
   * receipt yet, for carriers that can query them.
   */
  start(report: ReportEvents, pending: () => AsyncIterable<PendingPart>): Promise<void>
  /** Records a fault outside submits, such as an unreadable callback, as the last error. */
  failed?(detail: string): void
  /**
   * Another node with this carrier open has gone: `pending` contains its parts. For carriers with
   * receipts in memory.
   */
  resume?(pending: () => AsyncIterable<PendingPart>): Promise<void>
  /** Returns the current condition. It must be cheap: routing calls it for every message. */
  condition(): CarrierCondition
}

/** Current condition of a carrier. */
export interface CarrierCondition {
  /** STOPPED if it is inactive or disposed; DOWN if it is unreachable. */
  readonly state: 'BOUND' | 'CONNECTING' | 'DOWN' | 'STOPPED'
  /** Reason for another state than BOUND, or what a BOUND carrier lacks, for people; else null. */
  readonly stateReason: string | null
  /** Since when the state holds. */
  readonly since: Instant
  /** Submitted parts without a response. */
  readonly inFlight: number
  /** Links that are bound, and the most parts that may wait for an answer over them; for carriers with links. */
  readonly links?: { readonly bound: number; readonly window: number }
  /** Submitted parts per second, over the last seconds. */
  readonly partsPerSecond: number
  /** Last error, or null. */
  readonly lastError: { readonly at: Instant; readonly detail: string } | null
}

/** Counters of carriers. */
export interface CarrierCounts {
  /** A carrier is open: its counters begin at zero. */
  opened?(carrier: string): void
  /** A message returned to its queue; `reason` is BUSY if the carrier did not take it. */
  retried?(carrier: string, reason: 'BUSY' | 'UNCERTAIN'): void
  /**
   * Counts responses to parts; `status` is the carrier's word for them, null without a response.
   */
  submitted(carrier: string, status: string | null, parts?: number): void
  /** The carrier asked for less at a time. */
  throttled(carrier: string): void
  /** A receipt is durable. */
  receipted(carrier: string, match: ReceiptMatch): void
}

/**
 * Match of a receipt. UNMATCHED: no part yet, so it is stored. REPEATED: the outcome was known.
 * LATE: the part had been given up.
 */
export type ReceiptMatch = 'MATCHED' | 'UNMATCHED' | 'REPEATED' | 'LATE'

/** Dependencies of a carrier besides its settings. */
export interface CarrierGround {
  readonly clock: Clock
  readonly random: Random
  readonly newId: NewId
  readonly log: Log
  /** Languages whose shift tables a `TEXT` may use; none by default. */
  readonly nationalLanguages?: readonly NationalLanguage[]
  readonly counts?: CarrierCounts
}

/** A kind of link to the outside, such as SMPP: what it is set up with, and how it is opened. */
export interface CarrierType {
  /** As in the field `type` of the collection `carriers`. */
  readonly type: string
  /**
   * The fields of `settings`; secrets are write-only. The gateway reads three of any type: `window`, `binds` and
   * `partsPerSecond` limit what a carrier gets. A type that reaches a network has the first and the last.
   */
  readonly settings: Fields
  /** Returns faults of settings whose fields are valid; pointers start below `settings`. */
  faults?(settings: JsonObject, hasRoutes: boolean): readonly InputError[]
  /** Returns how its messages become parts; absent: the standard scheme. */
  partScheme?(settings: JsonObject): PartScheme
  /** Returns the account at the other side. Absent if carriers may share one. */
  peerAccount?(settings: JsonObject): PeerAccount
  /**
   * Opens one. `settings` were read after the fields above, defaults filled in, secrets included.
   * It does nothing until it is started.
   */
  open(id: string, settings: JsonObject, ground: CarrierGround): Carrier
  /** Creates the callback handler of a carrier, open or not. Absent if no provider sends callbacks. */
  receive?(id: string, settings: JsonObject, ground: ReceivingGround): TakeCallback
}

/** An account at the other side of a link, which one active carrier uses. */
export interface PeerAccount {
  /** Equal for the same account. */
  readonly key: string
  /** The field of `settings` that a fault names. */
  readonly field: string
}

/** Dependencies of a callback handler. */
export interface ReceivingGround {
  readonly log: Log
  /** Makes events durable, all of them or none. */
  readonly report: (events: readonly CarrierEvent[]) => Promise<void>
  /** Reports a fault in a callback. */
  readonly onFault: (detail: string) => void
}

/** A part that was submitted and has no outcome, with its message if that still exists. */
export interface PendingPart {
  readonly carrierMessageId: string
  readonly message: OutgoingMessage | null
}
