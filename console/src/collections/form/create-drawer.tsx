import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { collectionAt, type Instance } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { Drawer } from '../../ui/overlay.tsx'
import { showToast } from '../../ui/toast.tsx'
import { CollectionForm, type Draft } from './form.tsx'
import { collectionNoun, createAction } from '../nouns.ts'
import { SecretDialog } from '../secret-dialog.tsx'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Creates an instance of any collection, and shows its secret if it has one. */
export function CreateDrawer({ collection, path, isOpen, onClose }: Props): ReactNode {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [revealed, setRevealed] = useState<string | null>(null)
  const noun = collectionNoun(collection, 1)
  const create = async (draft: Draft): Promise<void> => {
    const created: Instance = await collectionAt(path).create(filledIn(draft))
    await queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
    onClose()
    if (typeof created['secret'] === 'string') setRevealed(created['secret'])
    const open = (): void => void navigate({ to: `/${[...path, created.id].join('/')}` })
    showToast({ text: `Created ${noun}`, action: { label: 'Open', run: open } })
  }
  return (
    <>
      <Drawer title={createAction(collection)} isOpen={isOpen} onClose={onClose}>
        <CollectionForm
          fields={collection.inputs}
          initial={{}}
          action={createAction(collection)}
          onSubmit={create}
          onCancel={onClose}
        />
      </Drawer>
      <SecretDialog secret={revealed} onClose={() => setRevealed(null)} />
    </>
  )
}

/** Returns a draft without the fields that were not filled in. */
export function filledIn(draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined))
}
