import { etagOf } from '@nuncio/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { collectionAt, type Instance } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { hasChanged } from '../../api/problem.ts'
import { instanceQuery } from '../../api/queries.ts'
import { Drawer } from '../../ui/overlay.tsx'
import { showToast } from '../../ui/toast.tsx'
import { collectionNoun } from '../nouns.ts'
import { changesOf, conflictOf, draftOf, mergeDrafts, type Conflict } from './edit-conflict.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { keptIfEmpty } from './field-hint.ts'
import { CollectionForm, type Draft } from './form.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly instance: Instance
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Changes an instance. If somebody else has changed it since, shows what, and keeps what was typed. */
export function EditDrawer({ isOpen, ...rest }: Props): ReactNode {
  const title = `Edit ${collectionNoun(rest.collection, 1)}`
  return (
    <Drawer title={title} isOpen={isOpen} onClose={rest.onClose}>
      <EditForm {...rest} />
    </Drawer>
  )
}

function EditForm({ collection, path, instance, onClose }: Omit<Props, 'isOpen'>): ReactNode {
  const queries = useQueryClient()
  // The page behind reads the instance again and again; what was typed belongs to this state.
  const [base, setBase] = useState(instance)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { inputs } = collection
  const { queryKey } = instanceQuery(path, instance.id)

  const save = async (draft: Draft, setDraft: (draft: Draft) => void): Promise<void> => {
    const patch = changesOf(base, draft)
    if (Object.keys(patch).length === 0) return onClose()
    try {
      const changed = await collectionAt(path).patch(base.id, patch, { ifMatch: etagOf(base) })
      queries.setQueryData(queryKey, changed)
    } catch (error) {
      if (!hasChanged(error)) throw error
      const latest = await collectionAt(path).get(base.id)
      setConflict(conflictOf(inputs, base, latest, patch))
      setDraft(mergeDrafts(inputs, latest, patch))
      return setBase(latest)
    }
    void queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
    onClose()
    showToast({ text: `Saved ${collectionNoun(collection, 1)}` })
  }

  return (
    <CollectionForm
      fields={inputs.map(keptIfEmpty)}
      initial={draftOf(inputs, base)}
      action="Save changes"
      onSubmit={save}
      onCancel={onClose}
      above={(_, setDraft) =>
        conflict === null ? null : (
          <ConflictNotice
            conflict={conflict}
            collection={collection}
            path={[...path, base.id]}
            onReload={() => {
              setDraft(draftOf(inputs, base))
              setConflict(null)
            }}
          />
        )
      }
    />
  )
}
