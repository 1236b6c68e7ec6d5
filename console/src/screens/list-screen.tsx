import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { usePermission } from '../api/use-session.ts'
import { CreateDrawer } from '../collections/create-drawer.tsx'
import { CollectionList } from '../collections/list.tsx'
import { collectionNoun, collectionTitle } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { Button } from '../ui/button.tsx'
import { isIcon } from '../ui/icon.tsx'
import { Empty } from '../ui/notice.tsx'
import { ParentHead } from './parent-head.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
}

/** The list of any collection, with the form that creates an instance. */
export function ListScreen({ collection, path }: Props): ReactNode {
  const mayCreate = usePermission(collection.scopes.create)
  const [isOpen, setOpen] = useState(false)
  const noun = collectionNoun(collection, 1)
  const create = mayCreate ? (
    <Button look="primary" icon="plus" onPress={() => setOpen(true)}>
      {`Create ${noun}`}
    </Button>
  ) : null
  const empty = (
    <Empty
      icon={isIcon(collection.name) ? collection.name : 'collection'}
      title={`No ${collectionNoun(collection, 2)} yet`}
      action={create}
    >
      {collection.description}
    </Empty>
  )
  return (
    <div className="page">
      {path.length > 1 ? (
        <ParentHead collection={collection} path={path}>
          {create}
        </ParentHead>
      ) : (
        <PageHead title={collectionTitle(collection)} note={collection.description}>
          {create}
        </PageHead>
      )}
      <CollectionList collection={collection} path={path} empty={empty} />
      <CreateDrawer
        collection={collection}
        path={path}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}
