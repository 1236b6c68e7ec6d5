import type { ReactNode } from 'react'
import { countText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { lacksValue } from '../recipients/read-recipients.ts'
import { needsContacts, type BroadcastDraft } from './broadcast-draft.ts'

/** Recipients that get no message for the same reason. */
export interface Skipped {
  readonly reason: string
  readonly recipients: number
  readonly addresses: readonly string[]
}

/** What each reason of the service means. */
const reasons: Readonly<Record<string, string>> = {
  duplicate: 'the same number again, and each number gets one message',
  optedOut: 'opted out of this sender',
  missingValue: 'no value for a placeholder; {{name|customer}} has a text for this case',
  tooLong: 'a text of too many parts',
  unencodable: 'a text that does not fit the encoding',
  contactGone: 'the contact was deleted',
}

/** Says which recipients get no message, and why. */
export function SkippedRecipients({ skipped }: { skipped: readonly Skipped[] }): ReactNode {
  if (skipped.length === 0) return null
  return (
    <Panel title="Skipped recipients">
      <ul className="panel-body stack">
        {skipped.map(({ reason, recipients, addresses }) => (
          <li key={reason}>
            <strong>{countText(recipients, 'recipient')}</strong>: {reasons[reason] ?? reason}
            {addresses.length === 0 ? null : (
              <p className="muted">
                {addresses.join(', ')}
                {recipients > addresses.length ? ', …' : ''}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Addresses named for a reason, as many as the service names. */
const namedMax = 10

/** Finds recipients of a list without a value for a placeholder. The service reads the list later. */
export function missingValues(draft: BroadcastDraft): readonly Skipped[] {
  if (!needsContacts(draft)) return []
  const found = (draft.list?.recipients ?? []).filter((one) => lacksValue(draft.body, one))
  if (found.length === 0) return []
  const addresses = found.slice(0, namedMax).map(({ address }) => address)
  return [{ reason: 'missingValue', recipients: found.length, addresses }]
}

/** Joins what the service skips with what a list lacks, which the service does not know yet. */
export function skippedOf(
  estimated: readonly Skipped[],
  missing: readonly Skipped[],
): readonly Skipped[] {
  const isKnown = missing.length > 0
  return [...missing, ...estimated.filter(({ reason }) => !isKnown || reason !== 'missingValue')]
}
