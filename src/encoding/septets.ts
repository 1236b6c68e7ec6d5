import type { NationalLanguage } from '../core/national-language.ts'
import { defaultAlphabet, defaultExtension } from './default-alphabet.ts'
import { lockingShiftTables } from './locking-shift-tables.ts'
import { characterAt, type ShiftTable } from './shift-table.ts'
import { singleShiftTables } from './single-shift-tables.ts'

/** The tables that a text in septets is written with; null is the default one. */
export interface Shifts {
  readonly locking: NationalLanguage | null
  readonly single: NationalLanguage | null
}

/** No tables but those of the default alphabet. */
export const noShifts: Shifts = { locking: null, single: null }

/** The table of the septets that follow no escape. */
export function lockingTable({ locking }: Shifts): ShiftTable {
  return (locking === null ? null : lockingShiftTables[locking]) ?? defaultAlphabet
}

/** The table of the septets that follow an escape. */
export function singleTable({ single }: Shifts): ShiftTable {
  return single === null ? defaultExtension : singleShiftTables[single]
}

/**
 * Septets of UTF-16 code units: a code; a code plus `escaped` after an escape; `noSeptet` for a
 * unit
 * without a code. Units from the array's length on have none.
 */
export type Codes = Int16Array

/** Marks a code that follows an escape. */
export const escaped = 0x80

/** Marks a code unit that cannot be written. */
export const noSeptet = -1

/** All characters of all tables lie below this code unit. */
const unitsEnd = 0x2240

const codesByShifts = new Map<string, Codes>()

/** The codes of all characters; each combination of tables is worked out once. */
export function codesOf(shifts: Shifts): Codes {
  const key = `${shifts.locking} ${shifts.single}`
  const known = codesByShifts.get(key)
  if (known !== undefined) return known
  const codes = makeCodes(shifts)
  codesByShifts.set(key, codes)
  return codes
}

/** A character with several codes gets the shortest and then the lowest. */
function makeCodes(shifts: Shifts): Codes {
  const codes = new Int16Array(unitsEnd).fill(noSeptet)
  const tables = [
    { table: singleTable(shifts), mark: escaped },
    { table: lockingTable(shifts), mark: 0 },
  ]
  for (const { table, mark } of tables) {
    for (let code = 0x7f; code >= 0; code -= 1) {
      const character = characterAt(table, code)
      if (character !== null) codes[character.charCodeAt(0)] = code | mark
    }
  }
  return codes
}

/** Returns the septets of a code unit: 1, 2 with its escape, 0 if it has no code. */
export function septetsOf(unit: number, codes: Codes): 0 | 1 | 2 {
  const code = codes[unit] ?? noSeptet
  return code === noSeptet ? 0 : code < escaped ? 1 : 2
}

/** The place of the first code unit that cannot be written, or -1. */
export function firstMisfit(body: string, codes: Codes): number {
  for (let index = 0; index < body.length; index += 1) {
    if (septetsOf(body.charCodeAt(index), codes) === 0) return index
  }
  return -1
}
