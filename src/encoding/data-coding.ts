import type { Encoding } from '../core/ports/carrier.ts'

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

/**
 * Returns the `data_coding` of a message. Handsets assume class 1 by default: the octet then names
 * no class, so that every message centre understands it.
 */
export function dataCodingOf(encoding: Encoding, messageClass: number): number {
  if (messageClass === 1) return { TEXT: 0x00, UNICODE: 0x08, BINARY: 0x04 }[encoding]
  return { TEXT: 0xf0, UNICODE: 0x18, BINARY: 0xf4 }[encoding] | (messageClass & 3)
}
