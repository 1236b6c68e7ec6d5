import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { instanceQuery, useCollection } from '../api/queries.ts'
import { collectionTitle } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { instanceName } from '../collections/instance-name.ts'
import { InstanceTabs } from './instance-tabs.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly children: ReactNode
}

/** The head of a nested list: its parent, and the other lists of the same parent. */
export function ParentHead({ collection, path, children }: Props): ReactNode {
  const parent = useCollection(collection.parent ?? '')
  const above = path.slice(0, -2)
  const id = path.at(-2) ?? ''
  const { data } = useQuery(instanceQuery(above, id))
  if (parent === null) return null
  return (
    <>
      <PageHead
        title={data === undefined ? id : instanceName(data)}
        note={collection.description}
        trail={[[collectionTitle(parent), above.join('/')]]}
      >
        {children}
      </PageHead>
      <InstanceTabs parent={parent} path={above} id={id} />
    </>
  )
}
