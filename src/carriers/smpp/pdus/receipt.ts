import type { SmppDelivery } from '../session/link.ts'
import { deliveryOctets } from './delivery-text.ts'
import { receiptedId, type ReceiptIds } from './message-id.ts'
import { statOutcome, stateOutcome, type ReceiptOutcome } from './message-state.ts'
import { tags } from './pdu.ts'
import { readReceiptText, type ReceiptText } from './receipt-text.ts'

/** A receipt of the SMSC. */
export interface SmppReceipt {
  /** Of the part; null where the receipt does not say it, so that it can be matched with nothing. */
  readonly carrierMessageId: string | null
  readonly outcome: ReceiptOutcome
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
    carrierMessageId: id === null ? null : receiptedId(id, receiptIds),
    outcome: isIntermediate(delivery) ? 'ON_ITS_WAY' : outcome,
  }
}

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
