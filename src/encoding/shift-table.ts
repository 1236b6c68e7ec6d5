/**
 * A table of 3GPP TS 23.038: 8 rows of 16 characters in the order of their codes. `·` is a code that
 * means nothing, U+001B at 0x1B the escape. All characters lie in the Basic Multilingual Plane.
 */
export type ShiftTable = readonly string[]

/** The code at which every table escapes to another. */
export const escapeSeptet = 0x1b

/** The character of a code; null where the table has none, and for the escape. */
export function characterAt(table: ShiftTable, code: number): string | null {
  const character = table[code >> 4]?.[code & 15]
  return character === undefined || character === '·' || character === '\u001b' ? null : character
}
