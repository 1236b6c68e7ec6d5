import { escapeSeptet } from './shift-table.ts'
import { codesOf, escaped, noSeptet, type Shifts } from './septets.ts'

/** Writes a text as septets, one an octet. A character that the tables do not have throws. */
export function toSeptets(text: string, shifts: Shifts): Uint8Array {
  const codes = codesOf(shifts)
  const septets: number[] = []
  for (let index = 0; index < text.length; index += 1) {
    const code = codes[text.charCodeAt(index)] ?? noSeptet
    if (code === noSeptet) throw new Error(`no septet for the character at ${index}`)
    if (code >= escaped) septets.push(escapeSeptet, code - escaped)
    else septets.push(code)
  }
  return Uint8Array.from(septets)
}

/**
 * Packs septets, 8 in 7 octets. Fill bits put the first septet on a septet boundary after a header
 * of
 * `headerOctets` (3GPP TS 23.038 section 6.1.2.1.1, TS 23.040 section 9.2.3.24).
 */
export function packSeptets(septets: Uint8Array, headerOctets = 0): Uint8Array {
  const start = fillBits(headerOctets)
  const octets = new Uint8Array(Math.ceil((start + septets.length * 7) / 8))
  septets.forEach((septet, index) => {
    const bit = start + index * 7
    const place = bit >> 3
    const bits = (septet & 0x7f) << (bit & 7)
    octets[place] = (octets[place] ?? 0) | (bits & 0xff)
    if (bits > 0xff) octets[place + 1] = bits >> 8
  })
  return octets
}

/**
 * Unpacks septets. `count` is the number of septets, because 7 octets hold 8 septets, or 7 and 7
 * fill
 * bits; by default as many as fit.
 */
export function unpackSeptets(
  octets: Uint8Array,
  { headerOctets = 0, count }: { readonly headerOctets?: number; readonly count?: number } = {},
): Uint8Array {
  const start = fillBits(headerOctets)
  const room = Math.max(0, Math.floor((octets.length * 8 - start) / 7))
  return Uint8Array.from({ length: Math.min(room, count ?? room) }, (_, index) => {
    const bit = start + index * 7
    const place = bit >> 3
    const pair = (octets[place] ?? 0) | ((octets[place + 1] ?? 0) << 8)
    return (pair >> (bit & 7)) & 0x7f
  })
}

function fillBits(headerOctets: number): number {
  return (7 - ((headerOctets * 8) % 7)) % 7
}
