import { etagOf } from '@nuncio/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { collectionAt, type Instance } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { instanceQuery } from '../../api/queries.ts'
import { Drawer } from '../../ui/overlay.tsx'
import { showToast } from '../../ui/toast.tsx'
import { CollectionForm, type Draft } from './form.tsx'
import { collectionNoun } from '../nouns.ts'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly instance: Instance
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Changes an instance, unless somebody else has changed it since it was read. */
export function EditDrawer({ collection, path, instance, isOpen, onClose }: Props): ReactNode {
  const queries = useQueryClient()
  const save = async (draft: Draft): Promise<void> => {
    const patch = changesOf(instance, draft)
    if (Object.keys(patch).length === 0) return onClose()
    const ifMatch = etagOf(instance)
    const changed = await collectionAt(path).patch(instance.id, patch, { ifMatch })
    queries.setQueryData(instanceQuery(path, instance.id).queryKey, changed)
    void queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
    onClose()
    showToast({ text: `Saved ${collectionNoun(collection, 1)}` })
  }
  return (
    <Drawer title={`Edit ${collectionNoun(collection, 1)}`} isOpen={isOpen} onClose={onClose}>
      <CollectionForm
        fields={collection.inputs}
        initial={draftOf(collection, instance)}
        action="Save changes"
        onSubmit={save}
        onCancel={onClose}
      />
    </Drawer>
  )
}

function draftOf({ inputs }: CollectionDescription, instance: Instance): Draft {
  return Object.fromEntries(
    inputs
      .filter(({ name }) => instance[name] !== undefined && instance[name] !== null)
      .map(({ name }) => [name, instance[name]]),
  )
}

/** Returns a merge patch (RFC 7396): null clears a field that was emptied. */
function changesOf(instance: Instance, draft: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft)
      .map(([name, value]) => [name, value ?? null] as const)
      .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(instance[name] ?? null)),
  )
}
