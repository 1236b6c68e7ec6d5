import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Instance } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import { explain, isMissing } from '../api/problem.ts'
import { instanceQuery } from '../api/queries.ts'
import { usePermission } from '../api/use-session.ts'
import { AsCode } from '../collections/as-code.tsx'
import { DeleteButton } from '../collections/delete-button.tsx'
import { EditDrawer } from '../collections/edit-drawer.tsx'
import { Facts } from '../collections/facts.tsx'
import { collectionNoun, collectionTitle } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { Button } from '../ui/button.tsx'
import { Empty, FaultNotice, Skeleton } from '../ui/notice.tsx'
import { instanceName } from './instance-name.ts'
import { InstanceTabs } from './instance-tabs.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly id: string
}

/** One instance of any collection. */
export function InstanceScreen({ collection, path, id }: Props): ReactNode {
  const { data, error, isPending } = useQuery(instanceQuery(path, id))
  if (isPending) return <Skeleton lines={8} />
  if (error !== null) return <NotShown collection={collection} error={error} />
  return (
    <div className="page">
      <PageHead title={instanceName(data)} trail={[[collectionTitle(collection), path.join('/')]]}>
        <Actions collection={collection} path={path} instance={data} />
      </PageHead>
      <InstanceTabs parent={collection} path={path} id={id} />
      <div className="stack scroll">
        <section className="panel panel-body">
          <Facts fields={collection.fields} instance={data} />
        </section>
        <AsCode path={[...path, id]} value={data} />
      </div>
    </div>
  )
}

/** Says why an instance is not shown. */
export function NotShown({
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

function Actions({
  collection,
  path,
  instance,
}: Omit<Props, 'id'> & { readonly instance: Instance }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const mayChange = usePermission(collection.scopes.patch)
  const mayDelete = usePermission(collection.scopes.delete)
  const part = { collection, path, instance }
  return (
    <>
      {mayDelete ? <DeleteButton {...part} /> : null}
      {mayChange ? (
        <Button icon="edit" onPress={() => setOpen(true)}>
          Edit
        </Button>
      ) : null}
      <EditDrawer {...part} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
