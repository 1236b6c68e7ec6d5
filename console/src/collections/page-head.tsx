import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  readonly title: ReactNode
  readonly note?: ReactNode
  /** The way up: titles and addresses below the console. */
  readonly trail?: readonly (readonly [title: string, address: string])[]
  readonly children?: ReactNode
}

/** The head of a screen: where one is, and what can be done here. */
export function PageHead({ title, note, trail = [], children }: Props): ReactNode {
  return (
    <header className="page-head">
      <div className="grow">
        {trail.length === 0 ? null : (
          <nav aria-label="Breadcrumb" className="trail">
            {trail.map(([text, address]) => (
              <Link key={address} to={`/${address}`}>
                {text}
              </Link>
            ))}
          </nav>
        )}
        <h1>{title}</h1>
        {note === undefined ? null : <p className="muted">{note}</p>}
      </div>
      <div className="row wrap">{children}</div>
    </header>
  )
}
