import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { usePermission } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'

const ImportDrawer = lazy(async () => {
  const { ImportDrawer } = await import('./import-drawer.tsx')
  return { default: ImportDrawer }
})

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
}

/** Opens the import from CSV on lists of contacts; nothing on other lists. */
export function ImportButton({ collection, path }: Props): ReactNode {
  const mayCreate = usePermission(collection.scopes.create)
  const [isOpen, setOpen] = useState(false)
  const isImported = collection.path === 'contacts' || collection.path === 'groups/contacts'
  if (!mayCreate || !isImported) return null
  return (
    <>
      <Button icon="upload" onPress={() => setOpen(true)}>
        Import CSV
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <ImportDrawer path={path} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
