import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { RecipientListInput } from '../recipients/recipient-list-input.tsx'
import type { BroadcastDraft } from './broadcast-draft.ts'

interface Props {
  readonly draft: BroadcastDraft
  readonly onChange: (draft: BroadcastDraft) => void
}

/** The recipients: a group, or a list that is checked line by line before anything is sent. */
export function RecipientsInput({ draft, onChange }: Props): ReactNode {
  const { data } = useQuery({
    queryKey: ['group-names'],
    queryFn: ({ signal }) => client.groups.list({ pageSize: 200 }, { signal }),
    staleTime: 30_000,
  })
  return (
    <fieldset>
      <legend>Recipients</legend>
      <div className="field">
        <label htmlFor="group">Group</label>
        <select
          id="group"
          className="input"
          value={draft.group}
          onChange={({ target }) => onChange({ ...draft, group: target.value, list: null })}
        >
          <option value="">None: use the list below</option>
          {data?.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? id}
            </option>
          ))}
        </select>
      </div>
      {draft.group === '' ? (
        <RecipientListInput list={draft.list} onChange={(list) => onChange({ ...draft, list })} />
      ) : null}
    </fieldset>
  )
}
