import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Next to the title: a link to more, or a note. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** A titled part of a screen. */
export function Panel({ title, aside, children }: Props): ReactNode {
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
