import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseParameters } from './list-state.ts'
import { useSavedViews, type View } from './saved-views.ts'

interface Props {
  /** The path of the list. */
  readonly path: string
  readonly usual: readonly View[]
  /** The parameters of the address that is shown. */
  readonly query: string
}

/** The usual views of a list, and those that were saved. */
export function Views({ path, usual, query }: Props): ReactNode {
  const saved = useSavedViews(path)
  if (usual.length === 0 && saved.length === 0) return null
  const all = usual.length === 0 ? [{ title: 'All', query: '' }] : usual
  return (
    <nav className="tabs" aria-label="Views">
      {[...all, ...saved].map((view) => (
        <Link
          key={`${view.title} ${view.query}`}
          to={`/${path}`}
          search={parseParameters(view.query)}
          activeProps={{}}
          {...(view.query === query ? { className: 'active', 'aria-current': 'page' } : {})}
        >
          {view.title}
        </Link>
      ))}
    </nav>
  )
}
