import { lazy, Suspense, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { usePermission } from '../../api/use-session.ts'
import { useOpened } from '../../collections/use-opened.ts'
import { Button } from '../../ui/button.tsx'

const ImportDrawer = lazy(async () => {
  const { ImportDrawer } = await import('./import-drawer.tsx')
  return { default: ImportDrawer }
})

interface Props {
  readonly collection: CollectionDescription
}

/** Opens the import from CSV on lists of contacts; nothing on other lists. */
export function ImportButton({ collection }: Props): ReactNode {
  const mayImport = useMayImport(collection)
  const [, setOpen] = useOpened('import')
  return mayImport ? (
    <Button icon="upload" onPress={() => setOpen(true)}>
      Import CSV
    </Button>
  ) : null
}

/** The import, while it is open. */
export function OpenImport({
  collection,
  path,
}: Props & { readonly path: readonly string[] }): ReactNode {
  const mayImport = useMayImport(collection)
  const [isOpen, setOpen] = useOpened('import')
  return mayImport && isOpen ? (
    <Suspense fallback={null}>
      <ImportDrawer path={path} onClose={() => setOpen(false)} />
    </Suspense>
  ) : null
}

function useMayImport({ path, scopes }: CollectionDescription): boolean {
  const mayCreate = usePermission(scopes.create)
  return mayCreate && (path === 'contacts' || path === 'groups/contacts')
}
