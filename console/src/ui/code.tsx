import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'
import { CopyButton } from './copy.tsx'

/** A text to copy, such as JSON or a command. */
export function Code({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <Panel title={label} aside={<CopyButton text={text} label={`Copy ${label}`} />}>
      <div className="panel-body">
        <pre className="code">{text}</pre>
      </div>
    </Panel>
  )
}
