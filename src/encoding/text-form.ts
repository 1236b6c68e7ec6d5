import type { Encoding } from '../core/ports/carrier.ts'
import { noShifts, type Shifts } from './septets.ts'

/** Coding of a text's octets; the shifts apply to `TEXT` only. */
export interface TextForm extends Shifts {
  readonly encoding: Encoding
}

/** The form of an encoding without national tables. */
export function plainForm(encoding: Encoding): TextForm {
  return { encoding, ...noShifts }
}

/**
 * Concatenation of a message of several parts: a user data header with a reference of 8 or 16 bits
 * (3GPP TS 23.040 section 9.2.3.24.1 and 9.2.3.24.8), the TLVs `sar_…` of SMPP, or one
 * `message_payload` that the message centre splits.
 */
export type LongMessages = 'UDH8' | 'UDH16' | 'SAR' | 'PAYLOAD'
