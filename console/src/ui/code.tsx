import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'

/** A text to copy, such as JSON or a command. */
export function Code({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <section className="panel">
      <header>
        <h2>{label}</h2>
        <CopyButton text={text} label={`Copy ${label}`} />
      </header>
      <div className="panel-body">
        <pre className="code">{text}</pre>
      </div>
    </section>
  )
}
