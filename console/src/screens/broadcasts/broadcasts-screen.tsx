import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { CollectionList } from '../../collections/list/list.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty } from '../../ui/notice.tsx'

/** How often the progress is read while the list is shown. */
const pollMs = 3000

/** All broadcasts with their progress. */
export function BroadcastsScreen(): ReactNode {
  const collection = useCollection('broadcasts')
  const mayCreate = usePermission(collection?.scopes.create)
  if (collection === null) return null
  const create = mayCreate ? (
    <Link to="/broadcast" className="button primary">
      <Icon name="plus" size={15} />
      Create broadcast
    </Link>
  ) : null
  const empty = (
    <Empty icon="broadcasts" title="No broadcasts yet" action={create}>
      {collection.description}
    </Empty>
  )
  return (
    <div className="page">
      <PageHead title="Broadcasts" note={collection.description}>
        {create}
      </PageHead>
      <CollectionList collection={collection} path={['broadcasts']} empty={empty} pollMs={pollMs} />
    </div>
  )
}
