/** Result of parsing a text by its format: the text to store, or the fault. */
export type Formatted =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly detail: string }

/** A format for text fields: what it accepts, in words for errors and for the reference. */
export interface Format {
  readonly description: string
  /** Reads and normalises. Must accept what it returns and leave it as it is. */
  read(text: string): Formatted
}

const recipient: Format = {
  description:
    'a telephone number in international form (such as +4915112345678) or a short code of 3 to 8 digits',
  read: (text) => readNumber(text) ?? refuseNumber(recipient, text),
}

const sender: Format = {
  description:
    'a telephone number in international form (E.164), a short code, or 1 to 11 letters, digits and spaces',
  read: (text) =>
    readNumber(text) ?? (alphanumeric.test(text) ? keep(text) : refuseNumber(sender, text)),
}

/** A message may have come without a sender; a client then sends the empty text back in a PUT. */
const senderOrEmpty: Format = {
  description: `${sender.description}; or empty`,
  read: (text) => (text === '' ? keep('') : sender.read(text)),
}

const url: Format = {
  description:
    'an absolute http or https URL without user name and password, spaces and control characters',
  read: (text) => (isPlainUrl(text) ? keep(text) : refuse(url)),
}

/** The formats that a declaration can name. Spaces, dashes, dots and parentheses in numbers are dropped. */
export const formats = { recipient, sender, senderOrEmpty, url } as const

/** The name of a format. */
export type FormatName = keyof typeof formats

/** Alphanumeric sender, 3GPP TS 23.040 section 9.1.2.5: 11 characters, at least one of them a letter. */
const alphanumeric = /^(?=.*[A-Za-z])[A-Za-z0-9 ._&-]{1,11}$/
/** ITU-T E.164: at most 15 digits, the first no zero. */
const e164 = /^[1-9]\d{6,14}$/
const international = /^\+[1-9]\d{6,14}$/
const shortCode = /^\d{3,8}$/

/** With `+` a number is international; without, up to 8 digits are a short code. */
function readNumber(text: string): Formatted | null {
  // Most are as they are stored, thousands in one list.
  if (international.test(text)) return keep(text)
  const bare = digitsOf(text)
  // In "+49 (0) 151" the zero is not dialled from abroad: the number is ambiguous.
  if (!/^\+?\d+$/.test(bare) || /\(0\)/.test(text)) return null
  const digits = bare.replace('+', '')
  if (isDialled(bare)) return null
  if (!bare.startsWith('+') && shortCode.test(digits)) return keep(digits)
  return e164.test(digits) ? keep(`+${digits}`) : null
}

/** An international prefix is not part of a number, and no short code starts with one. */
function isDialled(digits: string): boolean {
  return /^00\d/.test(digits)
}

function digitsOf(text: string): string {
  return text.replace(/[\s().-]/g, '')
}

/**
 * The parser skips spaces and control characters, or encodes them (WHATWG URL section 4.4): the
 * stored text would differ from the URL that receives requests.
 */
function isPlainUrl(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  const parsed = /[\u0000-\u0020\u007f]/.test(text) ? null : URL.parse(text)
  return (
    parsed !== null &&
    (parsed.protocol === 'https:' || parsed.protocol === 'http:') &&
    parsed.username === '' &&
    parsed.password === ''
  )
}

function keep(text: string): Formatted {
  return { ok: true, text }
}

function refuse(format: Format, hint = ''): Formatted {
  return { ok: false, detail: `must be ${format.description}${hint}` }
}

function refuseNumber(format: Format, text: string): Formatted {
  return refuse(format, isDialled(digitsOf(text)) ? ': write + in place of 00' : '')
}
