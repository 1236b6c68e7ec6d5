import type { TextCharset } from '../core/part-scheme.ts'
import type { Encoding } from '../core/ports/carrier.ts'
import { noShifts, packSeptets, type Shifts, toSeptets } from './septets.ts'

/** Returns whether a character set has all characters of a body that the default alphabet has. */
export function charsetHas(body: string, charset: TextCharset): boolean {
  const last = lastUnits[charset]
  if (last === undefined) return true
  for (let index = 0; index < body.length; index += 1) {
    if (body.charCodeAt(index) > last) return false
  }
  return true
}

const lastUnits: Readonly<Partial<Record<TextCharset, number>>> = { LATIN1: 0xff, ASCII: 0x7f }

/** Writes a text in a character set, after a header of `headerOctets`. Throws if a character is missing. */
export function textOctets(
  text: string,
  form: TextForm,
  charset: TextCharset,
  headerOctets: number,
): Uint8Array {
  switch (charset) {
    case 'GSM':
      return toSeptets(text, form)
    case 'GSM_PACKED':
      return packSeptets(filled(toSeptets(text, form), headerOctets), headerOctets)
    case 'LATIN1':
    case 'ASCII':
      if (!charsetHas(text, charset)) throw new Error(`a character is not in ${charset}`)
      return Uint8Array.from(text, (character) => character.charCodeAt(0))
  }
}

const carriageReturn = 0x0d

/**
 * Fills up seven spare bits with a carriage return (3GPP TS 23.038 section 6.1.2.3.1): a receiver that
 * knows the octets only would read them as `@`.
 */
function filled(septets: Uint8Array, headerOctets: number): Uint8Array {
  const bits = headerOctets * 8 + ((7 - ((headerOctets * 8) % 7)) % 7) + septets.length * 7
  return bits % 8 === 1 ? Uint8Array.of(...septets, carriageReturn) : septets
}

/** Coding of a text's octets; the shifts apply to `TEXT` only. */
export interface TextForm extends Shifts {
  readonly encoding: Encoding
}

/** The form of an encoding without national tables. */
export function plainForm(encoding: Encoding): TextForm {
  return { encoding, ...noShifts }
}
