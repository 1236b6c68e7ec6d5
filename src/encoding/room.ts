import type { LongMessages } from '../core/part-scheme.ts'
import type { TextForm } from './text-form.ts'

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
