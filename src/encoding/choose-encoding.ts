import type { Encoding } from '../core/ports/carrier.ts'
import {
  type NationalLanguage,
  standardScheme,
  type LongMessages,
  type PartScheme,
  type TextCharset,
} from '../core/part-scheme.ts'
import { plainForm, type TextForm, codesOf, noShifts, septetsOf, firstMisfit } from './septets.ts'
import { partEnds, roomOf } from './part-ends.ts'

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
