import type { ReactNode } from 'react'
import { ProgressBar } from 'react-aria-components'
import { fieldTitle } from '../../collections/columns.ts'
import { countText, numberText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'

interface Props {
  readonly broadcast: {
    readonly estimate: { readonly recipients: number }
    readonly recipients: Readonly<Record<string, number>>
    readonly messageCounts: Readonly<Record<string, number>>
    readonly creditCost: number
  }
}

/** How far a broadcast is, and what became of its messages. */
export function Progress({ broadcast }: Props): ReactNode {
  const { estimate, recipients, messageCounts, creditCost } = broadcast
  const { seen = 0, messages = 0, ...skipped } = recipients
  const reasons = Object.entries(skipped).filter(([, count]) => count > 0)
  const counts = Object.entries(messageCounts).filter(([, count]) => count > 0)
  return (
    <Panel
      title="Progress"
      aside={
        <span className="muted">
          {numberText(seen)} of {countText(estimate.recipients, 'recipient')},{' '}
          {countText(creditCost, 'credit')}
        </span>
      }
    >
      <div className="panel-body stack">
        <ProgressBar
          aria-label="Recipients processed"
          value={seen}
          maxValue={Math.max(1, estimate.recipients)}
          className="progress"
        >
          {({ percentage = 0 }) => <div style={{ width: `${percentage}%` }} />}
        </ProgressBar>
        <dl className="figures">
          <div>
            <dt>Messages</dt>
            <dd>{numberText(messages)}</dd>
          </div>
          {[...counts, ...reasons].map(([name, count]) => (
            <div key={name}>
              <dt>{fieldTitle(name)}</dt>
              <dd>{numberText(count)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  )
}
