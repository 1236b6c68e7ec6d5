import type { Encoding } from '../core/ports/carrier.ts'
import {
  type NationalLanguage,
  standardScheme,
  type LongMessages,
  type PartScheme,
  type TextCharset,
} from '../core/part-scheme.ts'
import { plainForm, type TextForm, codesOf, noShifts, septetsOf, firstMisfit } from './septets.ts'

/** Options for the choice of an encoding. */
export interface FormChoice {
  /** The encoding that was asked for; null leaves it open. */
  readonly encoding: Encoding | null
  /** The languages whose shift tables may be used. */
  readonly languages: readonly NationalLanguage[]
  /** The scheme of the carrier. */
  readonly scheme?: PartScheme
}

/**
 * The form of a body that takes the fewest parts and loses nothing. Of forms that take as many, the
 * one that more handsets read: the default alphabet, then UCS-2, then a single shift, a locking shift,
 * both of one language, of two. Where `TEXT` is asked for and no table has all of it, `TEXT` without
 * tables; if only the carrier's character set lacks something, `UNICODE`.
 */
export function chooseEncoding(body: string, choice: FormChoice): TextForm {
  const { encoding, scheme = standardScheme } = choice
  const { longMessages, charset, nationalTables } = scheme
  const languages = nationalTables ? choice.languages : []
  if (encoding === 'UNICODE' || encoding === 'BINARY') return plainForm(encoding)
  const plain = plainForm('TEXT')
  const { cheap, fits } = plainCost(body)
  if (fits && !charsetHas(body, charset)) return plainForm('UNICODE')
  if (cheap || (fits && languages.length === 0)) return plain

  const first = fits ? plain : encoding === null ? plainForm('UNICODE') : null
  let best = first && { form: first, parts: partsIn(first) }
  if (best?.parts === 1 || languages.length === 0) return best?.form ?? plain

  const counts = unitCounts(body)
  for (const form of nationalForms(languages)) {
    const least = leastParts(counts, form, longMessages)
    if (least === null || (best !== null && least >= best.parts)) continue
    const parts = partsIn(form)
    if (best === null || parts < best.parts) best = { form, parts }
  }
  return best?.form ?? plain

  function partsIn(form: TextForm): number {
    return partEnds(body, form, longMessages).length
  }
}

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

/** Checks whether the default alphabet has the body, and whether each character takes one septet. */
function plainCost(body: string): { readonly cheap: boolean; readonly fits: boolean } {
  const codes = codesOf(noShifts)
  let cheap = true
  for (let index = 0; index < body.length; index += 1) {
    const septets = septetsOf(body.charCodeAt(index), codes)
    if (septets === 0) return { cheap: false, fits: false }
    if (septets === 2) cheap = false
  }
  return { cheap, fits: true }
}

function unitCounts(body: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (let index = 0; index < body.length; index += 1) {
    const unit = body.charCodeAt(index)
    counts.set(unit, (counts.get(unit) ?? 0) + 1)
  }
  return counts
}

/** All combinations of tables, those first that more handsets read. */
function nationalForms(languages: readonly NationalLanguage[]): readonly TextForm[] {
  const form = (locking: NationalLanguage | null, single: NationalLanguage | null): TextForm => ({
    encoding: 'TEXT',
    locking,
    single,
  })
  // Spanish has no locking shift table.
  const lockings = languages.filter((language) => language !== 'spanish')
  return [
    ...languages.map((language) => form(null, language)),
    ...lockings.map((language) => form(language, null)),
    ...lockings.map((language) => form(language, language)),
    ...lockings.flatMap((locking) =>
      languages.filter((single) => single !== locking).map((single) => form(locking, single)),
    ),
  ]
}

/** Returns the minimum number of parts of a body, by its septets; null if the body does not fit. */
function leastParts(
  counts: ReadonlyMap<number, number>,
  form: TextForm,
  longMessages: LongMessages,
): number | null {
  const codes = codesOf(form)
  let total = 0
  for (const [unit, count] of counts) {
    const septets = septetsOf(unit, codes)
    if (septets === 0) return null
    total += septets * count
  }
  const { alone, joined } = roomOf(form, longMessages)
  return total <= alone ? 1 : Math.ceil(total / joined)
}

/** Says why a body cannot be sent in a form, as the detail of an input error; null if it can. */
export function encodingFault(body: string, form: TextForm): string | null {
  if (form.encoding === 'UNICODE') return null
  if (form.encoding === 'BINARY') return hexOctets.test(body) ? null : binaryFault
  const index = firstMisfit(body, codesOf(form))
  return index === -1 ? null : textFault(body, index)
}

const hexOctets = /^(?:[0-9A-Fa-f]{2})+$/

const binaryFault = 'must be octets in hexadecimal: an even number of the digits 0-9, A-F'

function textFault(body: string, index: number): string {
  const code = body.codePointAt(index) ?? 0
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const place = Array.from(body.slice(0, index)).length + 1
  return (
    `has ${JSON.stringify(String.fromCodePoint(code))} (${point}) as character ${place}, ` +
    'which TEXT (GSM 03.38) does not have: leave encoding out, or ask for UNICODE'
  )
}

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
