/** How the identifiers in receipts are written, as the setting `receiptIds` says. */
export type ReceiptIds = 'AS_IS' | 'HEX_TO_DECIMAL' | 'DECIMAL_TO_HEX'

/**
 * The form in which an identifier of the SMSC is kept and looked for. SMSCs write the same number now
 * with leading zeros and now without, and its hex digits in either case; another text, in which case
 * may matter, stays as it is.
 */
export function messageId(id: string): string {
  const trimmed = id.trim()
  if (!hexOrDashes.test(trimmed)) return trimmed
  return trimmed.toLowerCase().replace(/^0+(?=[0-9a-f])/, '')
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
