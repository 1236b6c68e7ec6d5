import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCollection } from '../api/queries.ts'
import { Empty } from '../ui/notice.tsx'
import { InstanceScreen } from './instance-screen.tsx'
import { ListScreen } from './list-screen.tsx'

/** Any collection or instance, by its path: `groups`, `groups/{id}`, `groups/{id}/contacts`. */
export function CollectionScreen(): ReactNode {
  const { _splat = '' }: { readonly _splat?: string } = useParams({ strict: false })
  const parts = _splat.split('/').filter((part) => part !== '')
  const isList = parts.length % 2 === 1
  const path = isList ? parts : parts.slice(0, -1)
  const collection = useCollection(path.filter((_, index) => index % 2 === 0).join('/'))
  if (collection === null) {
    return (
      <Empty icon="search" title="No such page">
        The service has no collection at this address. Choose one on the left.
      </Empty>
    )
  }
  return isList ? (
    <ListScreen key={_splat} collection={collection} path={path} />
  ) : (
    <InstanceScreen key={_splat} collection={collection} path={path} id={parts.at(-1) ?? ''} />
  )
}
