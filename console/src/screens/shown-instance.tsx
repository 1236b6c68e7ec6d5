import type { ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { explain, isMissing } from '../api/problem.ts'
import { collectionNoun } from '../collections/nouns.ts'
import { Empty, FaultNotice, Skeleton } from '../ui/notice.tsx'

interface Props<Shown> {
  /** Null if the service has no such collection. */
  readonly collection: CollectionDescription | null
  readonly query: { readonly data: Shown | undefined; readonly error: unknown }
  readonly children: (shown: Shown, collection: CollectionDescription) => ReactNode
}

/** Shows an instance as soon as it is read; before, its skeleton; if it cannot be read, the reason. */
export function ShownInstance<Shown>({ collection, query, children }: Props<Shown>): ReactNode {
  const { data, error } = query
  if (collection === null) return null
  if (data !== undefined) return children(data, collection)
  return (
    <div className="page">
      {error === null ? <Skeleton lines={8} /> : <NotShown collection={collection} error={error} />}
    </div>
  )
}

function NotShown({
  collection,
  error,
}: {
  collection: CollectionDescription
  error: unknown
}): ReactNode {
  if (!isMissing(error)) return <FaultNotice {...explain(error)} />
  return (
    <Empty icon="search" title={`No such ${collectionNoun(collection, 1)}`}>
      It was deleted, or belongs to another account.
    </Empty>
  )
}
