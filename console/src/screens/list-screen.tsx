import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { usePermission } from '../api/use-session.ts'
import { CreateDrawer } from '../collections/form/create-drawer.tsx'
import { CollectionList } from '../collections/list/list.tsx'
import { collectionNoun, collectionTitle, createAction } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { Button } from '../ui/button.tsx'
import { isIcon } from '../ui/icon.tsx'
import { Empty } from '../ui/notice.tsx'
import { ParentHead } from './parent-head.tsx'
import { ImportButton } from './recipients/import-button.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  /** Columns that are shown unless the user chooses. */
  readonly columns?: readonly string[]
  /** How often the rows are read again; absent: never. */
  readonly pollMs?: number
}

/** The list of any collection, with the form that creates an instance. */
export function ListScreen({ collection, path, columns, pollMs }: Props): ReactNode {
  const mayCreate = usePermission(collection.scopes.create)
  const [isOpen, setOpen] = useState(false)
  const create = (
    <>
      <ImportButton collection={collection} path={path} />
      {mayCreate ? (
        <Button look="primary" icon="plus" onPress={() => setOpen(true)}>
          {createAction(collection)}
        </Button>
      ) : null}
    </>
  )
  const empty = (
    <Empty
      icon={isIcon(collection.name) ? collection.name : 'collection'}
      title={`No ${collectionNoun(collection, 2)} yet`}
      action={<div className="row wrap">{create}</div>}
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
      <CollectionList
        collection={collection}
        path={path}
        empty={empty}
        {...(columns === undefined ? {} : { columns })}
        {...(pollMs === undefined ? {} : { pollMs })}
      />
      <CreateDrawer
        collection={collection}
        path={path}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}
