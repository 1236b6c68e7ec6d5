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
