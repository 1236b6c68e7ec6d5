import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { usePermission } from '../../api/use-session.ts'
import { isDeclared } from '../../collections/product.ts'
import { Button } from '../../ui/button.tsx'
import { AddFieldDrawer } from './add-field-drawer.tsx'

/** Explains to an administrator how an own collection gets a field; nothing on other collections. */
export function AddFieldButton({ collection }: { collection: CollectionDescription }): ReactNode {
  const mayDeclare = usePermission('admin')
  const [isOpen, setOpen] = useState(false)
  if (!mayDeclare || !isDeclared(collection)) return null
  return (
    <>
      <Button icon="columns" onPress={() => setOpen(true)}>
        Add a field
      </Button>
      <AddFieldDrawer collection={collection} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
