import type { Encoding } from '../core/ports/carrier.ts'
import type { NationalLanguage } from '../core/part-scheme.ts'
import { lockingShiftTables, type ShiftTable, singleShiftTables } from './shift-table.ts'

/** The code at which every table escapes to another. */
export const escapeSeptet = 0x1b

/** The character of a code; null where the table has none, and for the escape. */
export function characterAt(table: ShiftTable, code: number): string | null {
  const character = table[code >> 4]?.[code & 15]
  return character === undefined || character === '·' || character === '\u001b' ? null : character
}

/** The GSM 7 bit default alphabet, 3GPP TS 23.038 section 6.2.1. */
export const defaultAlphabet: ShiftTable = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
]

/** Its extension table, section 6.2.1.1: an escape and a second septet each. */
export const defaultExtension: ShiftTable = [
  '··········\f·····',
  '····^······\u001b····',
  '········{}·····\\',
  '············[~]·',
  '|···············',
  '················',
  '·····€··········',
  '················',
]

/** The tables that a text in septets is written with; null is the default one. */
export interface Shifts {
  readonly locking: NationalLanguage | null
  readonly single: NationalLanguage | null
}

/** No tables but those of the default alphabet. */
export const noShifts: Shifts = { locking: null, single: null }

/** Coding of a text's octets; the shifts apply to `TEXT` only. */
export interface TextForm extends Shifts {
  readonly encoding: Encoding
}

/** The form of an encoding without national tables. */
export function plainForm(encoding: Encoding): TextForm {
  return { encoding, ...noShifts }
}

/** The table of the septets that follow no escape. */
export function lockingTable({ locking }: Shifts): ShiftTable {
  return (locking === null ? null : lockingShiftTables[locking]) ?? defaultAlphabet
}

/** The table of the septets that follow an escape. */
export function singleTable({ single }: Shifts): ShiftTable {
  return single === null ? defaultExtension : singleShiftTables[single]
}

/**
 * Septets of UTF-16 code units: a code; a code plus `escaped` after an escape; `noSeptet` for a
 * unit without a code. Units from the array's length on have none.
 */
export type Codes = Int16Array

/** Marks a code that follows an escape. */
const escaped = 0x80

/** Marks a code unit that cannot be written. */
const noSeptet = -1

/** All characters of all tables lie below this code unit. */
const unitsEnd = 0x2240

const codesByShifts = new Map<string, Codes>()

/** The codes of all characters; each combination of tables is worked out once. */
export function codesOf(shifts: Shifts): Codes {
  const key = `${shifts.locking} ${shifts.single}`
  const known = codesByShifts.get(key)
  if (known !== undefined) return known
  const codes = makeCodes(shifts)
  codesByShifts.set(key, codes)
  return codes
}

/** A character with several codes gets the shortest and then the lowest. */
function makeCodes(shifts: Shifts): Codes {
  const codes = new Int16Array(unitsEnd).fill(noSeptet)
  const tables = [
    { table: singleTable(shifts), mark: escaped },
    { table: lockingTable(shifts), mark: 0 },
  ]
  for (const { table, mark } of tables) {
    for (let code = 0x7f; code >= 0; code -= 1) {
      const character = characterAt(table, code)
      if (character !== null) codes[character.charCodeAt(0)] = code | mark
    }
  }
  return codes
}

/** Returns the septets of a code unit: 1, 2 with its escape, 0 if it has no code. */
export function septetsOf(unit: number, codes: Codes): 0 | 1 | 2 {
  const code = codes[unit] ?? noSeptet
  return code === noSeptet ? 0 : code < escaped ? 1 : 2
}

/** The place of the first code unit that cannot be written, or -1. */
export function firstMisfit(body: string, codes: Codes): number {
  for (let index = 0; index < body.length; index += 1) {
    if (septetsOf(body.charCodeAt(index), codes) === 0) return index
  }
  return -1
}

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
 * of `headerOctets` (3GPP TS 23.038 section 6.1.2.1.1, TS 23.040 section 9.2.3.24).
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
 * fill bits; by default as many as fit.
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
