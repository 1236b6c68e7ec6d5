import { lackedBy, placeholdersIn, type Placeholder } from '../recipients/placeholders.ts'
import { needsContacts, type BroadcastDraft } from './broadcast-draft.ts'

/** Recipients that get no message for the same reason. */
export interface Skipped {
  readonly reason: string
  readonly recipients: number
  readonly addresses: readonly string[]
  /** The placeholder for which they have no value, if it is known. */
  readonly placeholder?: string
}

/** What each reason of the service means. */
const reasons: Readonly<Record<string, string>> = {
  duplicate: 'the same number again, and each number gets one message',
  optedOut: 'opted out of this sender',
  missingValue: 'no value for a placeholder',
  tooLong: 'a text of too many parts',
  unencodable: 'a text that does not fit the encoding',
  contactGone: 'the contact was deleted',
}

/** Addresses named for a reason, as many as the service names. */
const namedMax = 10

/** Finds recipients of a list without a value for a placeholder. The service reads the list later. */
export function missingValues(draft: BroadcastDraft): readonly Skipped[] {
  if (!needsContacts(draft)) return []
  const placeholders = placeholdersIn(draft.body)
  const found = new Map<string, string[]>()
  for (const one of draft.list?.recipients ?? []) {
    const lacked = lackedBy(placeholders, one)
    if (lacked === null) continue
    const addresses = found.get(lacked.whole) ?? []
    addresses.push(one.address)
    found.set(lacked.whole, addresses)
  }
  return [...found].map(([placeholder, addresses]) => ({
    reason: 'missingValue',
    recipients: addresses.length,
    addresses: addresses.slice(0, namedMax),
    placeholder,
  }))
}

type Reason = Pick<Skipped, 'reason' | 'placeholder'>

/** Returns what a reason means; for a missing value, with the placeholder and what helps. */
export function reasonText({ reason, placeholder }: Reason, body: string): string {
  const known = reasons[reason] ?? reason
  if (reason !== 'missingValue') return known
  const strict = placeholdersIn(body).filter(isStrict)
  const named = placeholder === undefined ? strict.map(({ whole }) => whole) : [placeholder]
  const [example = '{{name}}'] = named
  const remedy = `${example.slice(0, -2)}|customer}} has a text for this case`
  return named.length === 0 ? known : `no value for ${named.join(' or ')}; ${remedy}`
}

/** Joins what the service skips with what a list lacks, which the service does not know yet. */
export function skippedOf(
  estimated: readonly Skipped[],
  missing: readonly Skipped[],
): readonly Skipped[] {
  const isKnown = missing.length > 0
  return [...missing, ...estimated.filter(({ reason }) => !isKnown || reason !== 'missingValue')]
}

/** Every recipient has an address; other values can be missing. */
function isStrict({ field, otherwise }: Placeholder): boolean {
  return field !== 'address' && otherwise === null
}
