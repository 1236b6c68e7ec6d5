/**
 * Texts that most records have, from the second on; the first one is the beginning of a record with the
 * identifier of its message. Each is stored as one control character, which JSON has only escaped. The order is
 * stored, so the list only grows at its end. Longer texts come before those they begin with.
 */
const frequent = [
  '","from":"',
  '","to":"',
  '","body":"',
  '","encoding":"TEXT","protocolId":0,"messageClass":1,"numberOfParts":1,"creditCost":',
  '","encoding":"',
  '","protocolId":',
  ',"messageClass":',
  ',"numberOfParts":',
  ',"creditCost":',
  ',"submission":{"id":"submission_',
  '","date":"',
  '"},"status":{"id":"',
  '.null","type":"',
  '","type":"',
  '"},"relatedSentMessageId":null,"userSuppliedId":null}',
  '"},"relatedSentMessageId":null,"userSuppliedId":"',
  '"},"relatedSentMessageId":"',
] as const

/** Begins a text that is stored as it is, since it has control characters of its own. */
const asItIs = '\u001f'
const begin = '\u0001'
const firstCode = 0x0e

// PostgreSQL has no U+0000; whitespace is left to JSON.
const characterOf = new Map<string, string>(
  frequent.map((text, index) => [
    text,
    String.fromCharCode(index < 6 ? 2 + index : firstCode + index - 6),
  ]),
)
const textOf = new Map([...characterOf].map(([text, character]) => [character, text]))
const anyText = new RegExp(
  frequent.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
  'g',
)
const anyCharacter = new RegExp(`[${[...textOf.keys()].join('')}]`, 'g')
const anyReserved = new RegExp(`[${[begin, asItIs, ...textOf.keys()].join('')}]`)

/** Shortens a record to be stored: most of it is names that all records have, and its message's identifier. */
export function packedRecord(messageId: string, record: string): string {
  if (anyReserved.test(record)) return asItIs + record
  const start = startOf(messageId)
  const rest = record.startsWith(start) ? begin + record.slice(start.length) : record
  return rest.replace(anyText, (text) => characterOf.get(text) ?? text)
}

/** Returns the record that was shortened. */
export function unpackedRecord(messageId: string, packed: string): string {
  if (packed.startsWith(asItIs)) return packed.slice(1)
  const rest = packed.replace(anyCharacter, (character) => textOf.get(character) ?? character)
  return rest.startsWith(begin) ? startOf(messageId) + rest.slice(1) : rest
}

function startOf(messageId: string): string {
  return `{"id":${JSON.stringify(messageId)},"type":"`
}
