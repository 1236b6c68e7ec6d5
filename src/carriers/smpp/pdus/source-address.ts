import { compilePattern, type CompiledPattern } from '../../../core/pattern.ts'
import type { SmppSettings } from '../settings.ts'
import { smppAddress, type SmppAddress } from './address.ts'

/** Writes a sender. Throws a RangeError if SMPP cannot carry it. */
export type SourceWriter = (from: string) => SmppAddress

/** The most characters of an address, section 5.2.8. */
const addressMax = 20

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
