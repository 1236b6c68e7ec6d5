import type { ReactNode } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { previewText } from '../recipients/placeholders.ts'
import type { Recipient } from '../recipients/read-recipients.ts'

/** Enough to notice a wrong placeholder. */
const shownMax = 3

interface Props {
  readonly body: string
  readonly recipients: readonly Recipient[]
}

/** The text as the first recipients would read it. */
export function Preview({ body, recipients }: Props): ReactNode {
  return (
    <Panel title="Preview">
      <ul className="panel-body stack">
        {recipients.slice(0, shownMax).map((recipient) => (
          <li key={recipient.address}>
            <p className="muted">{recipient.name ?? recipient.address}</p>
            <blockquote className="bubble sent">{previewText(body, recipient)}</blockquote>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
