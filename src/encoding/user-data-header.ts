import { nationalLanguages, type NationalLanguage } from '../core/part-scheme.ts'
import type { Shifts } from './septets.ts'

/** That a part is one of several, and which. */
export interface Concatenation {
  /** The same in all parts of a message. */
  readonly reference: number
  /** Number of parts, 1 to 255. */
  readonly total: number
  /** Which of them it is, from 1. */
  readonly sequence: number
  /** Bits of the reference in the header; 16 if no header gave one. */
  readonly bits: 8 | 16
}

/** The identifiers of the elements, 3GPP TS 23.040 section 9.2.3.24. */
const elementIds = { concatenation8: 0x00, concatenation16: 0x08, single: 0x24, locking: 0x25 }

/** Encodes a user data header with its length octet; returns null if no element is needed. */
export function writeHeader(
  concatenation: Concatenation | null,
  { locking, single }: Shifts,
): Uint8Array | null {
  const elements: number[] = []
  if (concatenation !== null) elements.push(...concatenationElement(concatenation))
  if (single !== null) elements.push(elementIds.single, 1, identifierOf(single))
  if (locking !== null) elements.push(elementIds.locking, 1, identifierOf(locking))
  return elements.length === 0 ? null : Uint8Array.of(elements.length, ...elements)
}

function concatenationElement({ reference, total, sequence, bits }: Concatenation): number[] {
  return bits === 8
    ? [elementIds.concatenation8, 3, reference & 0xff, total, sequence]
    : [elementIds.concatenation16, 4, (reference >> 8) & 0xff, reference & 0xff, total, sequence]
}

function identifierOf(language: NationalLanguage): number {
  return nationalLanguages.indexOf(language) + 1
}

/** Elements of a user data header that are used here. */
export interface UserDataHeader extends Shifts {
  /** Null if the header has none, or an invalid one (part 0, or a part after the last). */
  readonly concatenation: Concatenation | null
  /** The header with its length octet. */
  readonly octets: Uint8Array
  /** The octets after the header. */
  readonly rest: Uint8Array
}

/**
 * Parses the user data header at the start of octets; returns null if it is incomplete. Elements
 * that are unknown or of a wrong length are skipped (section 9.2.3.24); the last of repeated
 * elements counts.
 */
export function readHeader(userData: Uint8Array): UserDataHeader | null {
  const end = 1 + (userData[0] ?? 0xff)
  if (end > userData.length) return null
  const said: Said = { concatenation: null, locking: null, single: null }
  let index = 1
  while (index < end) {
    const data = userData.subarray(index + 2, index + 2 + (userData[index + 1] ?? 0))
    const next = index + 2 + (userData[index + 1] ?? 0)
    if (index + 1 >= end || next > end) return null
    Object.assign(said, readElement(userData[index], data))
    index = next
  }
  return { ...said, octets: userData.subarray(0, end), rest: userData.subarray(end) }
}

type Said = Pick<UserDataHeader, 'concatenation' | 'locking' | 'single'>

function readElement(id: number | undefined, data: Uint8Array): Partial<Said> {
  const [first = 0, second = 0, third = 0, fourth = 0] = data
  if (id === elementIds.concatenation8 && data.length === 3) {
    return concatenated({ reference: first, total: second, sequence: third, bits: 8 })
  }
  if (id === elementIds.concatenation16 && data.length === 4) {
    const reference = first * 256 + second
    return concatenated({ reference, total: third, sequence: fourth, bits: 16 })
  }
  const language = data.length === 1 ? nationalLanguages[first - 1] : undefined
  if (language === undefined) return {}
  if (id === elementIds.single) return { single: language }
  return id === elementIds.locking ? { locking: language } : {}
}

/** Part 0 and a part after the last are ignored (section 9.2.3.24.1). */
function concatenated(concatenation: Concatenation): Partial<Said> {
  const { total, sequence } = concatenation
  return sequence >= 1 && sequence <= total ? { concatenation } : {}
}
