import { compilePattern, UnsupportedPattern } from '../../core/pattern.ts'
import type { PeerAccount } from '../../core/ports/carrier.ts'
import type { InputError } from '../../core/problem.ts'
import { namesIn, tlvNames } from './pdus/submission.ts'
import { groupsUsed } from './pdus/address.ts'
import type { SmppSettings } from './settings.ts'

/** Returns the faults of settings that their fields cannot express; pointers start below `settings`. */
export function settingFaults(settings: SmppSettings, hasRoutes: boolean): readonly InputError[] {
  return [
    ...bindFaults(settings, hasRoutes),
    ...(settings.sourceRewrites ?? []).flatMap((rewrite, index) =>
      rewriteFaults(rewrite, `/sourceRewrites/${index}`),
    ),
    ...tlvFaults(settings.tlvs ?? []),
  ]
}

function bindFaults({ bind }: SmppSettings, hasRoutes: boolean): readonly InputError[] {
  if (bind !== 'RECEIVER' || !hasRoutes) return []
  const detail = 'must not be RECEIVER for a carrier with routes: it cannot send. Remove the routes'
  return [{ pointer: '/bind', detail }]
}

type Rewrite = NonNullable<SmppSettings['sourceRewrites']>[number]

/** The most steps of a match: a sender has at most 20 characters. */
const stepsMax = 2000

function rewriteFaults({ pattern, replacement }: Rewrite, pointer: string): readonly InputError[] {
  const invalid = patternFault(pattern)
  if (invalid !== null) return [{ pointer: `${pointer}/pattern`, detail: invalid }]
  try {
    const { groupCount, stepsPerCharacter } = compilePattern(pattern)
    if (stepsPerCharacter > stepsMax) {
      const detail = 'must have fewer repetitions: it takes too many steps'
      return [{ pointer: `${pointer}/pattern`, detail }]
    }
    const missing = groupsUsed(replacement).find((group) => group > groupCount)
    if (missing === undefined) return []
    const detail = `must not use $${missing}: the pattern has ${groupCount} groups`
    return [{ pointer: `${pointer}/replacement`, detail }]
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    return [{ pointer: `${pointer}/pattern`, detail: error.message }]
  }
}

/** Judges the syntax before the library does, which describes its own dialect. */
function patternFault(pattern: string): string | null {
  try {
    return new RegExp(pattern, 'u').source === '' ? 'must not be empty' : null
  } catch (error) {
    return `must be a regular expression: ${error instanceof Error ? error.message : error}`
  }
}

function tlvFaults(tlvs: NonNullable<SmppSettings['tlvs']>): readonly InputError[] {
  const seen = new Set<number>()
  return tlvs.flatMap(({ tag, value, text }, index) => {
    const pointer = `/tlvs/${index}`
    const faults: InputError[] = []
    if (seen.size === seen.add(Number(tag)).size) {
      faults.push({ pointer: `${pointer}/tag`, detail: 'must not repeat a tag before it' })
    }
    if ((value === null) === (text === null)) {
      faults.push({ pointer, detail: 'must have either value, octets in hex, or text' })
    }
    const names: readonly string[] = tlvNames
    const unknown = namesIn(text ?? '').find((name) => !names.includes(name))
    if (unknown !== undefined) {
      const detail = `must not use {{${unknown}}}: the placeholders are ${tlvNames.join(', ')}`
      faults.push({ pointer: `${pointer}/text`, detail })
    }
    return faults
  })
}

/**
 * Returns the account at the SMSC. An SMSC sends the receipts of a `system_id` over any of its binds,
 * so two carriers could not match them.
 */
export function peerAccount({ host, port, systemId }: SmppSettings): PeerAccount {
  return { key: JSON.stringify([host.toLowerCase(), port, systemId]), field: 'systemId' }
}
