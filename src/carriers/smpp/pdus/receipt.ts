import type { PartOutcome, ReceiptOutcome } from '../../../core/ports/receipts.ts'
import type { SmppDelivery } from '../session/link.ts'
import { tags, type Tlvs } from './pdu.ts'

/** A receipt of the SMSC. */
export interface SmppReceipt {
  /** Of the part; null where the receipt does not say it, so that it can be matched with nothing. */
  readonly carrierMessageId: string | null
  readonly outcome: ReceiptOutcome
  /** The SMSC's code; null if the receipt has none. */
  readonly code: string | null
}

/** Reads a receipt, from its TLVs first and then from its text; null where the delivery is a message. */
export function readReceipt(delivery: SmppDelivery, receiptIds: ReceiptIds): SmppReceipt | null {
  if (!isReceipt(delivery)) return null
  const { tlvs } = delivery
  const text = readText(delivery)
  const id = textTlv(tlvs.get(tags.receiptedMessageId)) ?? text.id
  const state = tlvs.get(tags.messageState)?.[0]
  const outcome =
    state !== undefined
      ? stateOutcome(state)
      : text.stat === null
        ? stateOutcome(unknownState)
        : statOutcome(text.stat)
  return {
    carrierMessageId: id === null || !isStorable(id) ? null : receiptedId(id, receiptIds),
    outcome: isIntermediate(delivery) && outcome.type !== 'SENT' ? enRoute : outcome,
    code: text.err ?? networkErrorCode(tlvs) ?? (text.stat === null ? stateName(state) : null),
  }
}

/** Reads `network_error_code`, section 5.3.2.31, as the type of the network and the code. */
function networkErrorCode(tlvs: Tlvs): string | null {
  const [network, high, low] = tlvs.get(tags.networkErrorCode) ?? []
  if (network === undefined || high === undefined || low === undefined) return null
  return `${network}:${high * 256 + low}`
}

/** A receipt of TLVs alone may have no code besides its state. */
function stateName(state: number | undefined): string | null {
  return state === undefined ? null : (stateNames[state] ?? String(state))
}

const stateNames = [
  'SCHEDULED',
  'ENROUTE',
  'DELIVERED',
  'EXPIRED',
  'DELETED',
  'UNDELIVERABLE',
  'ACCEPTED',
  'UNKNOWN',
  'REJECTED',
  'SKIPPED',
] as const

const unknownState = 7

/** `esm_class` of what an SMSC brings, section 5.2.12: the kind of message is in bits 2 to 5. */
const kinds = { mask: 0x3c, receipt: 0x04, intermediate: 0x20 } as const

/**
 * Some SMSCs leave `esm_class` at 0 and say it by TLVs alone. A text alone does not make a receipt:
 * anybody with a telephone could send one.
 */
function isReceipt({ body, tlvs }: SmppDelivery): boolean {
  const kind = body.esm_class & kinds.mask
  if (kind === kinds.receipt || kind === kinds.intermediate) return true
  return kind === 0 && tlvs.has(tags.receiptedMessageId) && tlvs.has(tags.messageState)
}

function isIntermediate({ body }: SmppDelivery): boolean {
  return (body.esm_class & kinds.mask) === kinds.intermediate
}

function readText(delivery: SmppDelivery): ReceiptText {
  const octets = deliveryOctets(delivery)
  const isUtf16 = (delivery.body.data_coding & 0x0c) === 0x08
  return readReceiptText(isUtf16 ? utf16.decode(octets) : latin1.decode(octets))
}

const utf16 = new TextDecoder('utf-16be')
const latin1 = new TextDecoder('latin1')

/** Reads a C-octet string, with or without its NUL; returns null if it is empty. */
function textTlv(value: Uint8Array | undefined): string | null {
  if (value === undefined) return null
  const nul = value.indexOf(0)
  const text = latin1.decode(nul === -1 ? value : value.subarray(0, nul)).trim()
  return text === '' ? null : text
}

const scheduled = { type: 'SENT', detail: 'SCHEDULED' } as const
const enRoute = { type: 'SENT', detail: 'ENROUTE' } as const
const accepted = { type: 'SENT', detail: 'ACCEPTED' } as const
const delivered = { type: 'DELIVERED', detail: null } as const
const unknown = { type: 'UNKNOWN', detail: null } as const
const failed = (detail: string): PartOutcome => ({ type: 'FAILED', detail })

/** Maps `message_state`, section 5.2.28; 0 and 9 come from SMPP 5.0. */
export function stateOutcome(state: number): ReceiptOutcome {
  return states[state] ?? unknown
}

/** ACCEPTED means read by a person or taken by the next network: neither is final. */
const states: Readonly<Record<number, ReceiptOutcome>> = {
  0: scheduled,
  1: enRoute,
  2: delivered,
  3: failed('EXPIRED'),
  4: failed('REJECTED'),
  5: failed('UNDELIVERABLE'),
  6: accepted,
  7: unknown,
  8: failed('REJECTED'),
  9: failed('UNDELIVERABLE'),
}

/**
 * Maps `stat` of a text receipt, Appendix B. SMSCs write it in full, truncated, in lower case, or
 * use private words; an unknown word gives an unknown outcome.
 */
export function statOutcome(stat: string): ReceiptOutcome {
  const word = stat.toUpperCase()
  return stats.find(([start]) => word.startsWith(start))?.[1] ?? unknown
}

/** By how they begin: the first that fits counts. */
const stats: readonly (readonly [start: string, outcome: ReceiptOutcome])[] = [
  ['DELIV', delivered],
  ['DLVR', delivered],
  ['EXPI', failed('EXPIRED')],
  ['EXPR', failed('EXPIRED')],
  ['DELE', failed('REJECTED')],
  ['UNDEL', failed('UNDELIVERABLE')],
  ['NOTDEL', failed('UNDELIVERABLE')],
  ['FAIL', failed('UNDELIVERABLE')],
  ['ABSENT', failed('UNDELIVERABLE')],
  ['REJ', failed('REJECTED')],
  ['BLOCK', failed('BLOCKED')],
  ['BLACK', failed('BLOCKED')],
  ['SKIP', failed('UNDELIVERABLE')],
  ['ACC', accepted],
  ['ENR', enRoute],
  ['SCHED', scheduled],
  ['BUFF', enRoute],
  ['QUEUE', enRoute],
  ['SENT', enRoute],
  ['SUBMIT', enRoute],
]

/** Fields of a text receipt; null if absent. */
export interface ReceiptText {
  readonly id: string | null
  readonly stat: string | null
  readonly err: string | null
}

/**
 * Parses a text receipt, SMPP 3.4 Appendix B: `id:… sub:… dlvrd:… submit date:… done date:… stat:…
 * err:… text:…`. SMSCs vary the order and case of the fields, omit some, separate them by spaces or
 * commas, and truncate the text anywhere. The part after `text:` belongs to the message and is
 * ignored, unless it comes first.
 */
export function readReceiptText(text: string): ReceiptText {
  const ownAt = text.search(/(?:^|[\s,;])text\s*:/i)
  const fields = ownAt > 0 ? text.slice(0, ownAt) : text
  return {
    id: idField.exec(fields)?.[1] ?? null,
    stat: statField.exec(fields)?.[1] ?? null,
    err: errField.exec(fields)?.[1] ?? null,
  }
}

const idField = /(?:^|[\s,;])(?:id|msgid|message_?id)\s*[:=]\s*([^\s,;]+)/i
const statField = /(?:^|[\s,;])(?:stat|status|state)\s*[:=]\s*([A-Za-z]+)/i
const errField = /(?:^|[\s,;])err(?:or)?\s*[:=]\s*([^\s,;:=\p{Cc}]{1,64})(?=[\s,;]|$)/iu

/** The octets that a delivery carries: `short_message`, or `message_payload` where that is empty. */
export function deliveryOctets({ body, tlvs }: SmppDelivery): Uint8Array {
  const short = 'short_message' in body ? body.short_message : noOctets
  return short.length > 0 ? short : (tlvs.get(tags.messagePayload) ?? noOctets)
}

const noOctets = new Uint8Array(0)

/** Notation of identifiers in receipts, as in the setting `receiptIds`. */
export type ReceiptIds = 'AS_IS' | 'HEX_TO_DECIMAL' | 'DECIMAL_TO_HEX'

/**
 * Normalises an SMSC's identifier for storage and look-up. SMSCs write one number with and without
 * leading zeros, and its hex digits in either case. Other texts stay as they are, because their
 * case may matter.
 */
export function messageId(id: string): string {
  const trimmed = id.trim()
  if (!hexOrDashes.test(trimmed)) return trimmed
  return trimmed.toLowerCase().replace(/^0+(?=[0-9a-f])/, '')
}

/** The most characters of an identifier: SMPP allows 64, and an index of the store has a limit. */
const idMax = 255

/** Returns true for an identifier that every store can keep: none can match any other. */
export function isStorable(id: string): boolean {
  return id.length <= idMax && !id.includes('\0')
}

/** The identifier that `submit_sm_resp` gave, from the one in a receipt. */
export function receiptedId(id: string, receiptIds: ReceiptIds): string {
  const trimmed = id.trim()
  if (receiptIds === 'HEX_TO_DECIMAL' && /^[0-9a-fA-F]+$/.test(trimmed)) {
    return BigInt(`0x${trimmed}`).toString(10)
  }
  if (receiptIds === 'DECIMAL_TO_HEX' && /^\d+$/.test(trimmed)) {
    return BigInt(trimmed).toString(16)
  }
  return messageId(trimmed)
}

const hexOrDashes = /^[0-9a-fA-F][0-9a-fA-F-]*$/
