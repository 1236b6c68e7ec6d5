/**
 * Languages with shift tables, 3GPP TS 23.038 annex A, in the order of their identifiers (section
 * 6.2.1.2.4): the first is 1.
 */
export const nationalLanguages = [
  'turkish',
  'spanish',
  'portuguese',
  'bengali',
  'gujarati',
  'hindi',
  'kannada',
  'malayalam',
  'oriya',
  'punjabi',
  'tamil',
  'telugu',
  'urdu',
] as const

/** Language with shift tables. */
export type NationalLanguage = (typeof nationalLanguages)[number]
