import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { useCollections } from '../api/queries.ts'
import { useSession } from '../api/use-session.ts'
import { permits } from '../api/session.ts'
import { collectionTitle } from '../collections/nouns.ts'

interface Props {
  readonly parent: CollectionDescription
  readonly path: readonly string[]
  readonly id: string
}

/** An instance and its nested collections, side by side. */
export function InstanceTabs({ parent, path, id }: Props): ReactNode {
  const { scopes } = useSession()
  const nested = useCollections().filter(
    (one) => one.parent === parent.path && permits(scopes, one.scopes.list),
  )
  if (nested.length === 0) return null
  const address = [...path, id].join('/')
  return (
    <nav className="tabs" aria-label="Parts">
      <Link to={`/${address}`} activeOptions={{ exact: true, includeSearch: false }}>
        Details
      </Link>
      {nested.map((one) => (
        <Link
          key={one.path}
          to={`/${address}/${one.name}`}
          activeOptions={{ includeSearch: false }}
        >
          {collectionTitle(one)}
        </Link>
      ))}
    </nav>
  )
}
