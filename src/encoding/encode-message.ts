import type { Encoding } from '../core/ports/carrier.ts'
import type { LongMessages, TextCharset } from '../core/part-scheme.ts'
import { packSeptets, toSeptets, type TextForm } from './septets.ts'
import { partEnds, charsetHas } from './choose-encoding.ts'
import { writeHeader, type Concatenation } from './user-data-header.ts'

/** A message as octets. */
export interface EncodedMessage {
  readonly form: TextForm
  readonly parts: readonly EncodedPart[]
}

/** One part of a message, ready to submit. */
export interface EncodedPart {
  /** The user data header with its length octet; null if there is none. */
  readonly header: Uint8Array | null
  /** Text after the header: one septet per octet, UTF-16 with the high octet first, or octets. */
  readonly octets: Uint8Array
  /** Which part it is; null of a message of one, and of one in one piece. With `SAR`, the header does not say it. */
  readonly concatenation: Concatenation | null
}

/** Options for splitting a message into parts. */
export interface EncodingOptions {
  readonly longMessages: LongMessages
  /** By default a septet per octet. */
  readonly charset?: TextCharset
  /** The reference of its parts, 16 bits of it at most; another one for each message. */
  readonly reference: number
}

/**
 * Writes a body in a form that has all of its characters (else it throws). The header and the octets
 * of a part, packed, have at most 140 octets, but for those of `PAYLOAD`, which is one piece.
 */
export function encodeMessage(
  body: string,
  form: TextForm,
  { longMessages, reference, charset = 'GSM' }: EncodingOptions,
): EncodedMessage {
  const ends = longMessages === 'PAYLOAD' ? [body.length] : partEnds(body, form, longMessages)
  const bits = longMessages === 'UDH8' ? 8 : 16
  const parts = ends.map((end, index): EncodedPart => {
    const concatenation: Concatenation | null =
      ends.length === 1
        ? null
        : {
            reference: reference & (bits === 8 ? 0xff : 0xffff),
            total: ends.length,
            sequence: index + 1,
            bits,
          }
    const header = writeHeader(longMessages === 'SAR' ? null : concatenation, form)
    const text = body.slice(ends[index - 1] ?? 0, end)
    const octets =
      form.encoding === 'TEXT'
        ? textOctets(text, form, charset, header?.length ?? 0)
        : toOctets(text, form.encoding)
    return { header, octets, concatenation }
  })
  return { form, parts }
}

/** Writes a text in a character set, after a header of `headerOctets`. Throws if a character is missing. */
function textOctets(
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

function toOctets(text: string, encoding: 'UNICODE' | 'BINARY'): Uint8Array {
  return encoding === 'BINARY' ? Uint8Array.fromHex(text) : toUtf16(text)
}

function toUtf16(text: string): Uint8Array {
  const octets = new Uint8Array(text.length * 2)
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    octets[index * 2] = unit >> 8
    octets[index * 2 + 1] = unit & 0xff
  }
  return octets
}

/**
 * Returns the `data_coding` of a message. Handsets assume class 1 by default: the octet then names
 * no class, so that every message centre understands it.
 */
export function dataCodingOf(encoding: Encoding, messageClass: number): number {
  if (messageClass === 1) return { TEXT: 0x00, UNICODE: 0x08, BINARY: 0x04 }[encoding]
  return { TEXT: 0xf0, UNICODE: 0x18, BINARY: 0xf4 }[encoding] | (messageClass & 3)
}
