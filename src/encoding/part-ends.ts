import type { LongMessages } from '../core/part-scheme.ts'
import { type TextForm, codesOf, septetsOf } from './septets.ts'

/**
 * Returns the end of each part of a body, in UTF-16 code units. Parts never split an escape from
 * its septet, a surrogate pair, or the two digits of an octet. A character without a code in its
 * form counts as one septet.
 */
export function partEnds(
  body: string,
  form: TextForm,
  longMessages: LongMessages = 'UDH8',
): readonly number[] {
  const room = roomOf(form, longMessages)
  return form.encoding === 'TEXT' ? textEnds(body, form, room) : unitEnds(body, room)
}

interface Room {
  readonly alone: number
  readonly joined: number
}

function textEnds(body: string, form: TextForm, { alone, joined }: Room): readonly number[] {
  const codes = codesOf(form)
  const ends: number[] = []
  let total = 0
  let used = 0
  for (let index = 0; index < body.length; index += 1) {
    const septets = septetsOf(body.charCodeAt(index), codes) || 1
    total += septets
    if (used + septets > joined) {
      ends.push(index)
      used = 0
    }
    used += septets
  }
  return total <= alone ? [body.length] : [...ends, body.length]
}

function unitEnds(body: string, { alone, joined }: Room): readonly number[] {
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

/** User data octets of one part, 3GPP TS 23.040 section 9.2.3.24. */
const userDataOctets = 140

/** The element that names a shift table: its identifier, its length and the language. */
const shiftElementOctets = 3

/**
 * The element that concatenates. What goes out with TLVs or in one piece is split by somebody else,
 * who is expected to use a reference of 8 bits.
 */
const concatenationOctets = { UDH8: 5, UDH16: 6, SAR: 5, PAYLOAD: 5 } as const

/**
 * Returns the capacity of one part, alone and as one of several: in septets for `TEXT`, in UTF-16
 * code units for `UNICODE`, in hex digits for `BINARY`.
 */
export function roomOf(
  form: TextForm,
  longMessages: LongMessages,
): { readonly alone: number; readonly joined: number } {
  const shifts = (form.locking === null ? 0 : 1) + (form.single === null ? 0 : 1)
  const shiftOctets = shifts * shiftElementOctets
  const alone = shiftOctets === 0 ? 0 : 1 + shiftOctets
  const joined = 1 + concatenationOctets[longMessages] + shiftOctets
  return { alone: units(form, alone), joined: units(form, joined) }
}

/** Septets begin on a septet boundary after the header: up to 6 fill bits are lost. */
function units({ encoding }: TextForm, headerOctets: number): number {
  const octets = userDataOctets - headerOctets
  if (encoding === 'TEXT') return Math.floor((octets * 8) / 7)
  return encoding === 'UNICODE' ? Math.floor(octets / 2) : octets * 2
}
