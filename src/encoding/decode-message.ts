import type { Encoding } from '../core/ports/carrier.ts'
import { readDataCoding, type Charset } from './data-coding.ts'
import { decodeText } from './decode-text.ts'
import { codesOf, firstMisfit, noShifts, type Shifts } from './septets.ts'

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
 * because
 * some senders split characters between parts. Octets that are no text become hex: no data is lost.
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
