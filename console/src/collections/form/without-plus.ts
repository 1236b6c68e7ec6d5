import type { FieldDescription } from '../../api/field.ts'

/** Separators that the service drops from a number. */
const separators = /[\s().-]/g

/** Returns true if the declaration of a field says that it takes numbers, which may be short codes. */
export function takesNumber({ kind, description }: FieldDescription): boolean {
  return kind === 'text' && /\bshort code\b/.test(description)
}

/** Says how a number without + is read; null for a number with + and for any other text. */
export function withoutPlusText(recipient: string): string | null {
  const digits = recipient.replaceAll(separators, '')
  const form = 'A telephone number has + and its country, such as +4915112345678.'
  if (!/^\d{3,15}$/.test(digits) || digits.startsWith('00')) return null
  if (digits.length <= 8) return `Without + this is the short code ${digits}. ${form}`
  return digits.startsWith('0')
    ? `The country is missing. ${form}`
    : `Without + this is read as +${digits}.`
}
