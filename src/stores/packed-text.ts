/**
 * Texts that most messages and their records have. Each is stored as one control character, which JSON has
 * only escaped. Texts are stored by their places here: the list only grows at its end, up to 26.
 * One release reads a new text before a later one writes it, since nodes of both run side by side.
 */
const frequent: readonly string[] = [
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
  '"},"relatedSentMessageId":null,"userSuppliedId":',
  '"},"relatedSentMessageId":"',
  ',"scheduledAt":null,"validUntil":null,"carrier":"',
  ',"scheduledAt":"',
  '","priority":1,"networkCode":null,"history":[{"status":"',
  '","priority":',
  '.null","date":"',
  '"},{"status":"',
  '"}],"bodyErasedAt":null,"createdAt":"',
  '","updatedAt":"',
]

/** Replaces the beginning of a text with its identifier. */
const begin = '\u0001'

/** Begins a text that is stored unchanged, since it contains control characters. */
const asItIs = '\u001f'

// PostgreSQL has no U+0000; whitespace is left to JSON.
const codes = Array.from({ length: 0x1f }, (_, code) => code).filter(
  (code) => code > 1 && ![0x09, 0x0a, 0x0d].includes(code),
)
const characterOf = new Map(
  frequent.map((text, index) => [text, String.fromCharCode(codes[index] ?? 0)]),
)
const textOf = new Map([...characterOf].map(([text, character]) => [character, text]))

/** The longest first, which those that they begin with would hide. */
const anyText = new RegExp(
  frequent
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|'),
  'g',
)
const anyCharacter = new RegExp(`[${[...textOf.keys()].join('')}]`, 'g')
const anyReserved = new RegExp(`[${[begin, asItIs, ...textOf.keys()].join('')}]`)

/** Shortens the JSON of a message, or of its record, to be stored: most of it is names that all have. */
export function packedText(id: string, text: string): string {
  if (anyReserved.test(text)) return asItIs + text
  const start = startOf(id)
  const rest = text.startsWith(start) ? begin + text.slice(start.length) : text
  return rest.replace(anyText, (found) => characterOf.get(found) ?? found)
}

/** Returns a text that was shortened; other JSON as it is, since it has no such characters. */
export function unpackedText(id: string, packed: string): string {
  if (packed.startsWith(asItIs)) return packed.slice(1)
  const rest = packed.replace(anyCharacter, (character) => textOf.get(character) ?? character)
  return rest.startsWith(begin) ? startOf(id) + rest.slice(1) : rest
}

/** The replacements that make JSON of a shortened text, but for the identifier: code and text. */
export const replacements: readonly (readonly [code: number, text: string])[] = [
  [begin.charCodeAt(0), '{"type":"'],
  ...frequent.map((text, index) => [codes[index] ?? 0, text] as const),
]

function startOf(id: string): string {
  return `{"id":${JSON.stringify(id)},"type":"`
}
