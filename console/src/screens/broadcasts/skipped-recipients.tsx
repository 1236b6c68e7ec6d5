import type { ReactNode } from 'react'
import { countText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { reasonText, type Skipped } from './missing-values.ts'

interface Props {
  readonly skipped: readonly Skipped[]
  /** The text, whose placeholders are named. */
  readonly body: string
}

/** Says which recipients get no message, and why. */
export function SkippedRecipients({ skipped, body }: Props): ReactNode {
  if (skipped.length === 0) return null
  return (
    <Panel title="Skipped recipients">
      <ul className="panel-body stack">
        {skipped.map(({ recipients, addresses, ...why }) => (
          <li key={`${why.reason} ${why.placeholder ?? ''}`}>
            <strong>{countText(recipients, 'recipient')}</strong>: {reasonText(why, body)}
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
