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
