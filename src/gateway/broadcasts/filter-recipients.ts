import { where, type Reader } from '../../core/ports/store.ts'
import { broadcastMessages, type SkipReason } from '../../collections/broadcasts.ts'
import { findOptOuts, pairText, type OptOut } from '../../collections/opt-outs.ts'
import type { SeenRecipient } from './recipient-page.ts'
import { fill, type BodyTemplate } from './template.ts'

/** The decision for a recipient: the body of its message, or the reason for none. */
export type Verdict =
  { readonly to: string; readonly body: string } | { readonly skipped: SkipReason }

/** A limit above the length of any message, in UTF-16 units. */
const bodyMax = 80_000

/** Characters of all bodies after which the others wait: 500 bodies of the longest message would take a second. */
const charactersMax = 150_000

/** The criteria for recipients. */
export interface RecipientFilter {
  /** The identifier of the broadcast; null if it has created no message yet. */
  readonly broadcast: string | null
  readonly from: string
  readonly template: BodyTemplate
}

/**
 * Decides for the first of several recipients, in their order: for as many as their bodies allow, at least one. Each
 * criterion takes one query.
 */
export async function filterRecipients(
  reader: Reader,
  seen: readonly SeenRecipient[],
  { broadcast, from, template }: RecipientFilter,
): Promise<readonly Verdict[]> {
  const addresses = new Set(seen.flatMap(({ addressee }) => addressee?.address ?? []))
  const taken = new Set(broadcast === null ? [] : await served(reader, broadcast, [...addresses]))
  const optedOut = await optedOutOf(reader, from, [...addresses])

  const verdicts: Verdict[] = []
  let characters = 0
  for (const { addressee } of seen) {
    const verdict = verdictFor(addressee)
    verdicts.push(verdict)
    characters += 'body' in verdict ? verdict.body.length : 0
    if (characters > charactersMax) break
  }
  return verdicts

  function verdictFor(addressee: SeenRecipient['addressee']): Verdict {
    if (addressee === null) return { skipped: 'contactGone' }
    const { address } = addressee
    if (taken.has(address)) return { skipped: 'duplicate' }
    if (optedOut.has(address)) return { skipped: 'optedOut' }
    const body = fill(template, addressee, bodyMax)
    if (body === null || body === '') return { skipped: 'missingValue' }
    if (body.length > bodyMax) return { skipped: 'tooLong' }
    taken.add(address)
    return { to: address, body }
  }
}

/** Returns the addresses that already have their message. */
async function served(
  reader: Reader,
  broadcast: string,
  addresses: readonly string[],
): Promise<readonly string[]> {
  if (addresses.length === 0) return []
  const query = where([{ path: ['to'], operator: 'eq', values: addresses }], addresses.length)
  const sort = [{ path: ['to'], direction: 'asc' }, ...query.sort] as const
  const found = await reader.list(broadcastMessages, broadcast, { ...query, sort })
  return found.map(({ doc }) => (JSON.parse(doc) as { readonly to: string }).to)
}

/** Returns the addresses that have opted out from this sender. */
async function optedOutOf(
  reader: Reader,
  from: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const pairs = addresses.flatMap((address) => [
    pairText({ address, sender: from }),
    pairText({ address, sender: null }),
  ])
  const found = await findOptOuts(reader, pairs)
  return new Set(found.map(({ doc }) => (JSON.parse(doc) as OptOut).address))
}
