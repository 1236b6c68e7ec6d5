import type { Encoding } from '../core/ports/carrier.ts'
import { noShifts, type Shifts } from './septets.ts'

/** What the octets of a text mean; the shifts are those of `TEXT` alone. */
export interface TextForm extends Shifts {
  readonly encoding: Encoding
}

/** The form of an encoding without national tables. */
export function plainForm(encoding: Encoding): TextForm {
  return { encoding, ...noShifts }
}

/**
 * How a message of several parts says so: in a user data header with a reference of 8 or 16 bits
 * (3GPP TS 23.040 section 9.2.3.24.1 and 9.2.3.24.8), in the TLVs `sar_…` of SMPP, or not at all, as one
 * `message_payload` that the other side splits.
 */
export type LongMessages = 'UDH8' | 'UDH16' | 'SAR' | 'PAYLOAD'
