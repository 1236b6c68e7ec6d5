import type { Encoding } from '../core/ports/carrier.ts'
import {
  codesOf,
  firstMisfit,
  lockingTable,
  noShifts,
  singleTable,
  type Shifts,
  characterAt,
  escapeSeptet,
} from './septets.ts'

/** One part of an incoming message. */
export interface IncomingPart {
  readonly dataCoding: number
  /** The shift tables that its header names. */
  readonly shifts: Shifts
  /** User data after the header: one septet per octet. */
  readonly octets: Uint8Array
}

/** Incoming message as it is stored. */
export interface DecodedMessage {
  /** `BINARY` where the octets are no text, or none that can be read. */
  readonly encoding: Encoding
  /** The text, or the octets in hex. */
  readonly body: string
  /** The message class that the first part names, or null. */
  readonly messageClass: number | null
}

/**
 * Decodes the parts of a message, in order. Adjacent parts of one coding are decoded together,
 * because some senders split characters between parts. Octets that are no text become hex: no data
 * is lost.
 */
export function decodeMessage(
  parts: readonly IncomingPart[],
  defaultCharset: Charset = 'GSM',
): DecodedMessage {
  const messageClass =
    parts.length === 0 ? null : readDataCoding(parts[0]?.dataCoding ?? 0).messageClass
  const runs = runsOf(parts, defaultCharset)
  const texts = runs.map(({ octets, charset, shifts }) => decodeText(octets, charset, shifts))
  if (texts.includes(null)) {
    const octets = joined(parts.map((part) => part.octets))
    return { encoding: 'BINARY', body: octets.toHex().toUpperCase(), messageClass }
  }
  const body = texts.join('')
  const isText =
    runs.every(({ charset }) => charset === 'GSM') || firstMisfit(body, codesOf(noShifts)) === -1
  return { encoding: isText ? 'TEXT' : 'UNICODE', body, messageClass }
}

interface Run {
  readonly charset: Charset
  readonly shifts: Shifts
  readonly octets: Uint8Array
}

function runsOf(parts: readonly IncomingPart[], defaultCharset: Charset): readonly Run[] {
  const runs: Run[] = []
  for (const { dataCoding, shifts, octets } of parts) {
    const { charset } = readDataCoding(dataCoding, defaultCharset)
    const last = runs.at(-1)
    if (last !== undefined && last.charset === charset && sameShifts(last.shifts, shifts)) {
      runs[runs.length - 1] = { ...last, octets: joined([last.octets, octets]) }
    } else {
      runs.push({ charset, shifts, octets })
    }
  }
  return runs
}

function sameShifts(a: Shifts, b: Shifts): boolean {
  return a.locking === b.locking && a.single === b.single
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const octets = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let index = 0
  for (const piece of pieces) {
    octets.set(piece, index)
    index += piece.length
  }
  return octets
}

/** Reads octets as a text; null where they are none, so that nothing of them is lost. */
export function decodeText(octets: Uint8Array, charset: Charset, shifts: Shifts): string | null {
  if (charset === 'OCTETS') return null
  if (charset === 'GSM') return fromSeptets(octets, shifts)
  if (charset === 'LATIN1' || charset === 'ASCII') return fromLatin1(octets, charset)
  return charset === 'UTF16' ? fromUtf16(octets) : fromLabel(octets, labels[charset])
}

/**
 * Reads septets, one an octet. After an escape, a code that its table does not have is that of the
 * locking table, and a second escape a space (3GPP TS 23.038 sections 6.2.1 and 6.2.1.1).
 */
function fromSeptets(octets: Uint8Array, shifts: Shifts): string | null {
  const locking = lockingTable(shifts)
  const single = singleTable(shifts)
  let text = ''
  for (let index = 0; index < octets.length; index += 1) {
    const code = octets[index] ?? 0
    if (code !== escapeSeptet) {
      const character = characterAt(locking, code)
      if (character === null) return null
      text += character
      continue
    }
    index += 1
    const next = octets[index]
    if (next === undefined) return null
    const character =
      next === escapeSeptet ? ' ' : (characterAt(single, next) ?? characterAt(locking, next))
    if (character === null) return null
    text += character
  }
  return text
}

/** ISO 8859-1 itself: the label `iso-8859-1` of the web is another. ASCII is its lower half. */
function fromLatin1(octets: Uint8Array, charset: 'LATIN1' | 'ASCII'): string | null {
  if (charset === 'ASCII' && octets.some((octet) => octet > 0x7f)) return null
  let text = ''
  for (const octet of octets) text += String.fromCharCode(octet)
  return readable(text)
}

function fromUtf16(octets: Uint8Array): string | null {
  if (octets.length % 2 !== 0) return null
  let text = ''
  for (let index = 0; index < octets.length; index += 2) {
    text += String.fromCharCode((octets[index] ?? 0) * 256 + (octets[index + 1] ?? 0))
  }
  return readable(text)
}

/** Labels of the Encoding Standard. */
const labels = { CYRILLIC: 'iso-8859-5', HEBREW: 'iso-8859-8-i', KOREAN: 'euc-kr' } as const

function fromLabel(octets: Uint8Array, label: string): string | null {
  try {
    return readable(new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(octets))
  } catch {
    return null
  }
}

/** JSON and the stores take neither a lone surrogate nor U+0000. */
function readable(text: string): string | null {
  return text.isWellFormed() && !text.includes('\u0000') ? text : null
}

/** Character set of octets. `OCTETS` means binary, or a character set that is unknown here. */
export type Charset =
  'GSM' | 'ASCII' | 'LATIN1' | 'CYRILLIC' | 'HEBREW' | 'KOREAN' | 'UTF16' | 'OCTETS'

/** Meaning of an incoming message's data coding. */
export interface DataCoding {
  readonly charset: Charset
  /** The message class that it names, or null. */
  readonly messageClass: number | null
}

/**
 * Reads `data_coding` (SMPP 3.4 section 5.2.19): values below 0x10 are SMPP's own, those above are the
 * data coding scheme of 3GPP TS 23.038 section 4. What 0 means, the other side decides:
 * `defaultCharset`.
 */
export function readDataCoding(dataCoding: number, defaultCharset: Charset = 'GSM'): DataCoding {
  if (dataCoding === 0) return { charset: defaultCharset, messageClass: null }
  if (dataCoding < 0x10) {
    return { charset: smppCharsets[dataCoding] ?? 'OCTETS', messageClass: null }
  }
  const group = dataCoding >> 4
  if (group === 0xf) {
    return { charset: (dataCoding & 4) === 0 ? 'GSM' : 'OCTETS', messageClass: dataCoding & 3 }
  }
  // Message waiting: 0xC0 to discard, 0xD0 to store, 0xE0 to store as UCS-2.
  if (group >= 0xc && group <= 0xe) {
    return { charset: group === 0xe ? 'UTF16' : 'GSM', messageClass: null }
  }
  if (group >= 0x8) return { charset: 'OCTETS', messageClass: null }
  return {
    charset: isCompressed(dataCoding) ? 'OCTETS' : generalCharset(dataCoding),
    messageClass: (dataCoding & 0x10) === 0 ? null : dataCoding & 3,
  }
}

/** By value: IA5, octets, Latin-1, octets, JIS (not read), Cyrillic, Hebrew, UCS-2; 14 is KS C 5601. */
const smppCharsets: Readonly<Record<number, Charset>> = {
  1: 'ASCII',
  3: 'LATIN1',
  6: 'CYRILLIC',
  7: 'HEBREW',
  8: 'UTF16',
  14: 'KOREAN',
}

function isCompressed(dataCoding: number): boolean {
  return (dataCoding & 0x20) !== 0
}

function generalCharset(dataCoding: number): Charset {
  return (['GSM', 'OCTETS', 'UTF16', 'OCTETS'] as const)[(dataCoding >> 2) & 3] ?? 'OCTETS'
}
