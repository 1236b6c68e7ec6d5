/** Fields of a text receipt; null if absent. */
export interface ReceiptText {
  readonly id: string | null
  readonly stat: string | null
}

/**
 * Parses a text receipt, SMPP 3.4 Appendix B: `id:… sub:… dlvrd:… submit date:… done date:… stat:…
 * err:… text:…`. SMSCs vary the order and case of the fields, omit some, separate them by spaces or
 * commas, and truncate the text anywhere. The part after `text:` belongs to the message and is
 * ignored,
 * unless it comes first.
 */
export function readReceiptText(text: string): ReceiptText {
  const ownAt = text.search(/(?:^|[\s,;])text\s*:/i)
  const fields = ownAt > 0 ? text.slice(0, ownAt) : text
  return {
    id: idField.exec(fields)?.[1] ?? null,
    stat: statField.exec(fields)?.[1] ?? null,
  }
}

const idField = /(?:^|[\s,;])(?:id|msgid|message_?id)\s*[:=]\s*([^\s,;]+)/i
const statField = /(?:^|[\s,;])(?:stat|status|state)\s*[:=]\s*([A-Za-z]+)/i
