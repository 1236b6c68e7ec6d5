import { type CompiledPattern, compilePattern } from '../../../core/pattern.ts'
import type { SmppSettings } from '../settings.ts'

/** An address as SMPP writes it: type of number, numbering plan (section 5.2.5, 5.2.6) and digits. */
export interface SmppAddress {
  readonly ton: number
  readonly npi: number
  readonly address: string
}

/** An operator's choice for addresses; null means by their form. */
export interface AddressChoice {
  readonly ton: number | null
  readonly npi: number | null
}

/** Types of number. */
const tons = { international: 1, networkSpecific: 3, alphanumeric: 5 } as const

/** Writes an address: E.164 without `+`, short codes and names as they are. */
export function smppAddress(address: string, choice: AddressChoice): SmppAddress {
  const usual = byForm(address)
  return {
    ton: choice.ton ?? usual.ton,
    npi: choice.npi ?? usual.npi,
    address: usual.address,
  }
}

function byForm(address: string): SmppAddress {
  if (address.startsWith('+')) {
    return { ton: tons.international, npi: 1, address: address.slice(1) }
  }
  const ton = /^\d+$/.test(address) ? tons.networkSpecific : tons.alphanumeric
  return { ton, npi: 0, address }
}

/**
 * Reads an address that came in. A number that is said to be international, or is too long for a
 * short code and none of a name, is E.164: SMSCs leave out `+`, some the type, some write `00`.
 */
export function readAddress(given: string, ton: number): string {
  const address = given.replaceAll(/\p{Cc}/gu, '').slice(0, addressMax)
  if (ton === tons.alphanumeric) return address
  const digits = address.replace(/^\+|^00(?=\d{7})/, '')
  if (!/^[1-9]\d*$/.test(digits)) return address
  const saysSo = ton === tons.international || digits !== address
  return (saysSo && digits.length >= shortMax - 1) || digits.length > shortMax
    ? `+${digits}`
    : address
}

/** The most characters of an address, section 5.2.8: an index of the store has a limit. */
const addressMax = 20

/** The most digits of a short code. */
const shortMax = 8

/** Writes a sender. Throws a RangeError if SMPP cannot carry it. */
export type SourceWriter = (from: string) => SmppAddress

/** Creates the writer of senders: the first pattern that fits decides. */
export function sourceWriter({
  sourceRewrites,
  sourceTon: ton,
  sourceNpi: npi,
}: Pick<SmppSettings, 'sourceRewrites' | 'sourceTon' | 'sourceNpi'>): SourceWriter {
  const rewrites = (sourceRewrites ?? []).map(({ pattern, ...rest }) => {
    let compiled: CompiledPattern | null = null
    // Compiled at the first message: most carriers never send one.
    return {
      ...rest,
      groups: (text: string) => (compiled ??= compilePattern(pattern)).groups(text),
    }
  })
  return (from) => {
    for (const { groups, replacement, ...types } of rewrites) {
      const found = groups(from)
      if (found === null) continue
      const address = replacement.replace(
        reference,
        (_, digit: string) => found[Number(digit)] ?? '',
      )
      if (address === '' || address.length > addressMax) {
        throw new RangeError(`a rewritten sender must have 1 to ${addressMax} characters`)
      }
      const usual = smppAddress(address, { ton: types.ton ?? ton, npi: types.npi ?? npi })
      return { ...usual, address }
    }
    return smppAddress(from, { ton, npi })
  }
}

const reference = /\$(\d)/g

/** The numbers of the groups that a replacement uses. */
export function groupsUsed(replacement: string): readonly number[] {
  return [...replacement.matchAll(reference)].map(([, digit]) => Number(digit))
}
