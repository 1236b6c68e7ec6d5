import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { collectionAt, type Instance } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import { explain } from '../api/problem.ts'
import { ConfirmButton } from '../ui/confirm.tsx'
import { showToast } from '../ui/toast.tsx'
import { collectionNoun } from './nouns.ts'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly instance: Instance
}

/** Deletes an instance after a confirmation. If all of it is known, the deletion can be undone. */
export function DeleteButton({ collection, path, instance }: Props): ReactNode {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const noun = collectionNoun(collection, 1)
  const refresh = (): Promise<void> =>
    queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
  const restore = async (): Promise<void> => {
    try {
      const known = collection.inputs.flatMap(({ name }) => (name in instance ? [name] : []))
      const input = Object.fromEntries(known.map((name) => [name, instance[name]]))
      await collectionAt(path).put(instance.id, input)
      await refresh()
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
  }
  const remove = async (): Promise<void> => {
    try {
      await collectionAt(path).delete(instance.id)
    } catch (error) {
      return showToast({ bad: true, text: explain(error).detail })
    }
    void refresh()
    void navigate({ to: `/${path.join('/')}` })
    const undo = { label: 'Undo', run: () => void restore() }
    showToast({ text: `Deleted ${noun}`, ...(canRestore(collection) ? { action: undo } : {}) })
  }
  return (
    <ConfirmButton action={`Delete ${noun}`} icon="trash" onConfirm={remove}>
      {canRestore(collection) ? 'You can undo this for a few seconds.' : 'This cannot be undone.'}
    </ConfirmButton>
  )
}

/** A secret cannot be written again, nor a message be sent again unnoticed. */
function canRestore({ path, scopes, inputs, reveals }: CollectionDescription): boolean {
  const isPlain = !reveals && !inputs.some(({ writeOnly }) => writeOnly)
  return (
    isPlain &&
    scopes.put !== undefined &&
    !['messages', 'accounts', 'broadcasts', 'carriers'].includes(path)
  )
}
