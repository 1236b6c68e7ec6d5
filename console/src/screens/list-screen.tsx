import type { ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { useAllAccounts, usePermission, useSession } from '../api/use-session.ts'
import { CreateDrawer } from '../collections/form/create-drawer.tsx'
import { CollectionList } from '../collections/list/list.tsx'
import { coversAccounts } from '../collections/columns.ts'
import { collectionNoun, collectionTitle, createAction } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { useOpened } from '../collections/use-opened.ts'
import { Button } from '../ui/button.tsx'
import { isIcon } from '../ui/icon.tsx'
import { Empty } from '../ui/notice.tsx'
import { AddFieldButton } from './fields/add-field-button.tsx'
import { isShared } from './account-links.tsx'
import { ParentHead } from './parent-head.tsx'
import { ImportButton, OpenImport } from './recipients/import-button.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  /** Columns that are shown unless the user chooses. */
  readonly columns?: readonly string[]
  /** How often the rows are read again; absent: never. */
  readonly pollMs?: number
}

/** Says whose instances an administrator sees; empty for others, whose account the page names anyway. */
function useReach(collection: CollectionDescription): string {
  const isOfAll = useAllAccounts()
  const { account } = useSession()
  if (!isOfAll || isShared(collection)) return ''
  return coversAccounts(collection) ? 'All accounts.' : `Account ${account}.`
}

/** The list of any collection, with the form that creates an instance. */
export function ListScreen({ collection, path, columns, pollMs }: Props): ReactNode {
  const [isOpen, setOpen] = useOpened('create')
  const mayCreate = usePermission(collection.scopes.create)
  const reach = useReach(collection)
  const create = <Actions collection={collection} onCreate={() => setOpen(true)} />
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
        <PageHead title={collectionTitle(collection)} note={`${collection.description} ${reach}`}>
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
      <OpenImport collection={collection} path={path} />
      <CreateDrawer
        collection={collection}
        path={path}
        isOpen={isOpen && mayCreate}
        onClose={() => setOpen(false)}
      />
    </div>
  )
}

interface ActionsProps {
  readonly collection: CollectionDescription
  readonly onCreate: () => void
}

/** What can be done with the whole list. */
function Actions({ collection, onCreate }: ActionsProps): ReactNode {
  const mayCreate = usePermission(collection.scopes.create)
  return (
    <>
      <ImportButton collection={collection} />
      <AddFieldButton collection={collection} />
      {mayCreate ? (
        <Button look="primary" icon="plus" onPress={onCreate}>
          {createAction(collection)}
        </Button>
      ) : null}
    </>
  )
}
