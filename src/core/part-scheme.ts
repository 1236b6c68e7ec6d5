/**
 * Concatenation of a message of several parts: a user data header with a reference of 8 or 16 bits
 * (3GPP TS 23.040 section 9.2.3.24.1 and 9.2.3.24.8), the TLVs `sar_…` of SMPP, or one
 * `message_payload` that the message centre splits.
 */
export type LongMessages = 'UDH8' | 'UDH16' | 'SAR' | 'PAYLOAD'

/** Characters of a `TEXT` on the way to a carrier. `GSM` has a septet per octet, `GSM_PACKED` 8 septets in 7. */
export type TextCharset = 'GSM' | 'GSM_PACKED' | 'LATIN1' | 'ASCII'

/** The properties of a carrier that decide the form and the number of the parts of a text. */
export interface PartScheme {
  readonly longMessages: LongMessages
  /** A `TEXT` with other characters is sent as `UNICODE`. */
  readonly charset: TextCharset
  /** True if the shift tables of national languages reach the handset. */
  readonly nationalTables: boolean
}

/** The scheme of a carrier that names none, and of messages without a carrier. */
export const standardScheme: PartScheme = {
  longMessages: 'UDH8',
  charset: 'GSM',
  nationalTables: true,
}

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
