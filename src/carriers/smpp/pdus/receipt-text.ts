/** What the text of a receipt says; null where it says nothing of it. */
export interface ReceiptText {
  readonly id: string | null
  readonly stat: string | null
}

/**
 * Reads a receipt in text form, SMPP 3.4 Appendix B: `id:… sub:… dlvrd:… submit date:… done date:…
 * stat:… err:… text:…`. SMSCs differ in the order of the fields and their case, leave some out, put
 * spaces or commas between, and cut the text off anywhere. What stands behind `text:` is the message's
 * own and is not looked at, unless that comes first.
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
