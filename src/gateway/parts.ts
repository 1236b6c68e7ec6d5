import type { Encoding } from '../core/carrier.ts'
import { septetsOf } from './gsm-alphabet.ts'

/**
 * How many parts a body is sent in. A body that does not fit its encoding is counted as if each
 * character that is not in the alphabet took one septet.
 */
export function countParts(body: string, encoding: Encoding): number {
  return partEnds(body, encoding).length
}

/**
 * Splits a body into the texts of its parts, which joined are the body. A character is never split:
 * neither an escape sequence of GSM 03.38, nor a surrogate pair, nor an octet.
 */
export function splitIntoParts(body: string, encoding: Encoding): readonly string[] {
  let start = 0
  return partEnds(body, encoding).map((end) => {
    const part = body.slice(start, end)
    start = end
    return part
  })
}

/**
 * What a message of one part holds, and each part of several, whose header with an 8-bit reference
 * (3GPP TS 23.040 section 9.2.3.24.1) takes 6 octets: in septets, UTF-16 code units, hex digits.
 */
const room = {
  TEXT: { alone: 160, joined: 153 },
  UNICODE: { alone: 70, joined: 67 },
  BINARY: { alone: 280, joined: 268 },
} as const satisfies Record<Encoding, { alone: number; joined: number }>

/** Where each part ends, in UTF-16 code units. */
function partEnds(body: string, encoding: Encoding): readonly number[] {
  const { alone, joined } = room[encoding]
  return encoding === 'TEXT' ? textEnds(body, alone, joined) : unitEnds(body, alone, joined)
}

function textEnds(body: string, alone: number, joined: number): readonly number[] {
  const ends: number[] = []
  let total = 0
  let used = 0
  for (let index = 0; index < body.length; index += 1) {
    const septets = septetsOf(body.charCodeAt(index)) || 1
    total += septets
    if (used + septets > joined) {
      ends.push(index)
      used = 0
    }
    used += septets
  }
  return total <= alone ? [body.length] : [...ends, body.length]
}

function unitEnds(body: string, alone: number, joined: number): readonly number[] {
  if (body.length <= alone) return [body.length]
  const ends: number[] = []
  let end = 0
  while (end < body.length) {
    end += joined
    if (end < body.length && splitsPair(body, end)) end -= 1
    ends.push(Math.min(end, body.length))
  }
  return ends
}

function splitsPair(body: string, index: number): boolean {
  return isHigh(body.charCodeAt(index - 1)) && isLow(body.charCodeAt(index))
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
