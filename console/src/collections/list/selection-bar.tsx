import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { collectionAt, type Instance } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { explain } from '../../api/problem.ts'
import { usePermission } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { collectionNoun } from '../nouns.ts'

interface Props {
  readonly collection: CollectionDescription
  readonly path: readonly string[]
  readonly rows: readonly Instance[]
  readonly onClear: () => void
}

/** What can be done with the selected rows. */
export function SelectionBar({ collection, path, rows, onClear }: Props): ReactNode {
  const mayDelete = usePermission(collection.scopes.delete)
  const queries = useQueryClient()
  if (rows.length === 0) return null
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(JSON.stringify(rows, null, 2))
    showToast({ text: `Copied ${rows.length} as JSON` })
  }
  const remove = async (): Promise<void> => {
    const results = await Promise.allSettled(rows.map((row) => removeRow(path, row)))
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    await queries.invalidateQueries({ queryKey: ['list', path.join('/')] })
    onClear()
    const [first] = refused
    if (first === undefined) showToast({ text: `Deleted ${results.length}` })
    else showToast({ bad: true, text: `${refused.length} not deleted: ${explain(first).detail}` })
  }
  const noun = collectionNoun(collection, rows.length)
  return (
    <div className="selection-bar" role="status">
      <strong>
        {rows.length} {noun} selected
      </strong>
      <Button small icon="copy" onPress={() => void copy()}>
        Copy as JSON
      </Button>
      {mayDelete ? (
        <ConfirmButton
          small
          icon="trash"
          action={`Delete ${rows.length} ${noun}`}
          onConfirm={remove}
        >
          This cannot be undone.
        </ConfirmButton>
      ) : null}
      <Button small look="plain" onPress={onClear}>
        Clear selection
      </Button>
    </div>
  )
}

/** An identifier alone names the administrator's own instance first, and another account's only if there is none. */
async function removeRow(path: readonly string[], { id, account }: Instance): Promise<void> {
  const collection = collectionAt(path)
  if (typeof account === 'string' && (await collection.get(id))['account'] !== account) {
    throw new Error(
      `${id} names an instance of another account. Delete it with a key of ${account}.`,
    )
  }
  await collection.delete(id)
}
