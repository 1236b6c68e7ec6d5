import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { BroadcastDraft } from './broadcast-draft.ts'
import { readRecipients, type LineFault, type RecipientList } from './read-recipients.ts'

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
        <ListInput list={draft.list} onChange={(list) => onChange({ ...draft, list })} />
      ) : null}
    </fieldset>
  )
}

interface ListProps {
  readonly list: RecipientList | null
  readonly onChange: (list: RecipientList) => void
}

function ListInput({ list, onChange }: ListProps): ReactNode {
  const [text, setText] = useState('')
  const read = (given: string): void => {
    setText(given)
    onChange(readRecipients(given))
  }
  return (
    <>
      <div className="field">
        <label htmlFor="csv-file">CSV file</label>
        <input
          id="csv-file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then(read)}
        />
      </div>
      <div className="field">
        <label htmlFor="csv-text">Or paste it</label>
        <textarea
          id="csv-text"
          className="input mono"
          spellCheck={false}
          placeholder={'name,address,city\nAda,+447700900123,London'}
          value={text}
          onChange={({ target }) => read(target.value)}
        />
        <p className="hint">One number on each line, or CSV with titles in the first line.</p>
      </div>
      {list === null ? null : <Summary list={list} />}
    </>
  )
}

/** Faults shown; the number says how many there are. */
const faultsShown = 20

function Summary({ list: { recipients, faults } }: { list: RecipientList }): ReactNode {
  return (
    <div role="status" className="stack">
      <p>
        <strong>{recipients.length}</strong> recipients
        {faults.length === 0
          ? '.'
          : `, ${faults.length === 1 ? '1 line is' : `${faults.length} lines are`} left out:`}
      </p>
      {faults.length === 0 ? null : (
        <ul className="line-faults">
          {faults.slice(0, faultsShown).map((fault: LineFault) => (
            <li key={fault.line}>
              <strong>Line {fault.line}</strong> {fault.fault}: <code>{fault.text}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
