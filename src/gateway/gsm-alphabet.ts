/** The GSM 7 bit default alphabet, 3GPP TS 23.038 section 6.2.1, in the order of its codes; 0x1B escapes. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

/** Its extension table, section 6.2.1.1: an escape and a second septet each. */
const extension = '\f^{}\\[~]|€'

const escape = '\u001b'

/** Septets by UTF-16 code unit; all characters of both tables lie below U+2100. */
const septetsByUnit = new Uint8Array(0x2100)
for (const character of basic) septetsByUnit[character.charCodeAt(0)] = 1
for (const character of extension) septetsByUnit[character.charCodeAt(0)] = 2
septetsByUnit[escape.charCodeAt(0)] = 0

/**
 * How many septets a UTF-16 code unit takes in GSM 03.38: 1, 2 for those of the extension table,
 * 0 where the alphabet does not have it.
 */
export function septetsOf(unit: number): 0 | 1 | 2 {
  const septets = septetsByUnit[unit]
  return septets === 1 ? 1 : septets === 2 ? 2 : 0
}
