import type { ReactNode } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { simulatorRecipients } from './simulator-recipients.ts'

/** What a simulator does with each of its special recipients. */
export function SimulatorRules(): ReactNode {
  return (
    <Panel title="Recipients to test with">
      <ul className="lines">
        {simulatorRecipients.map(([recipient, result]) => (
          <li key={recipient} className="row wrap">
            <code>{recipient}</code>
            <span className="grow">{result}</span>
          </li>
        ))}
        <li className="muted">It delivers messages to all other recipients.</li>
      </ul>
    </Panel>
  )
}
