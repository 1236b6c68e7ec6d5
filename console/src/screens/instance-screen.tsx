import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Instance } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import { instanceQuery } from '../api/queries.ts'
import { usePermission } from '../api/use-session.ts'
import { AsCode } from '../collections/as-code.tsx'
import { DeleteButton } from '../collections/delete-button.tsx'
import { EditDrawer } from '../collections/form/edit-drawer.tsx'
import { Facts } from '../collections/facts.tsx'
import { collectionTitle } from '../collections/nouns.ts'
import { PageHead } from '../collections/page-head.tsx'
import { Button } from '../ui/button.tsx'
import { AccountLinks } from './account-links.tsx'
import { SimulatorRules } from './carriers/simulator-rules.tsx'
import { instanceName } from '../collections/instance-name.ts'
import { InstanceTabs } from './instance-tabs.tsx'
import { ShownInstance } from './shown-instance.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly id: string
}

/** One instance of any collection. */
export function InstanceScreen({ collection, path, id }: Props): ReactNode {
  const query = useQuery(instanceQuery(path, id))
  return (
    <ShownInstance collection={collection} query={query}>
      {(instance) => <Shown collection={collection} path={path} instance={instance} />}
    </ShownInstance>
  )
}

type ShownProps = Omit<Props, 'id'> & { readonly instance: Instance }

function Shown({ collection, path, instance }: ShownProps): ReactNode {
  const { id } = instance
  return (
    <div className="page">
      <PageHead
        title={instanceName(instance)}
        trail={[[collectionTitle(collection), path.join('/')]]}
      >
        <Actions collection={collection} path={path} instance={instance} />
      </PageHead>
      <InstanceTabs parent={collection} path={path} id={id} />
      <div className="stack scroll">
        <section className="panel panel-body">
          <Facts fields={collection.fields} instance={instance} />
        </section>
        {collection.path === 'accounts' ? <AccountLinks account={id} /> : null}
        {collection.path === 'carriers' && instance['type'] === 'SIMULATOR' ? (
          <SimulatorRules />
        ) : null}
        <AsCode path={[...path, id]} value={instance} />
      </div>
    </div>
  )
}

function Actions({ collection, path, instance }: ShownProps): ReactNode {
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
