import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { PageHead } from '../../collections/page-head.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { countText } from '../../ui/numbers.ts'
import { SenderInput } from '../messages/sender-input.tsx'
import { BroadcastEstimate } from './broadcast-estimate.tsx'
import { inputOf, isReady, type BroadcastDraft } from './broadcast-draft.ts'
import { storeGroup } from './store-group.ts'
import { RecipientsInput } from './recipients-input.tsx'

const none: ReadonlyMap<string, string> = new Map()

/** Writes a broadcast: recipients from a group or a list, a text for each, the cost before the start. */
export function CreateBroadcastScreen(): ReactNode {
  const [draft, setDraft] = useState<BroadcastDraft>(emptyDraft)
  const mayCreate = usePermission(useCollection('broadcasts')?.scopes.create)
  const { failure, progress, start } = useStart(draft)
  const faults = failure?.faults ?? none
  const count = draft.list?.recipients.length
  const whom = draft.group === '' ? countText(count ?? 0, 'recipient') : 'the group'
  return (
    <div className="page">
      <PageHead title="Create broadcast" trail={[['Broadcasts', 'broadcasts']]} />
      <div className="scroll">
        <div className="two-columns">
          <div className="panel panel-body stack">
            {failure === null ? null : <FaultNotice {...failure} />}
            <NameInput value={draft.name} onChange={(name) => setDraft({ ...draft, name })} />
            <RecipientsInput draft={draft} onChange={setDraft} />
            <SenderInput
              value={draft.from}
              faults={faults}
              onChange={(from) => setDraft({ ...draft, from })}
            />
            <BodyInput value={draft.body} onChange={(body) => setDraft({ ...draft, body })} />
          </div>
          <div className="stack">
            <BroadcastEstimate draft={draft} />
            {mayCreate && isReady(draft) ? (
              <ConfirmButton isSafe action={`Send to ${whom}`} icon="broadcasts" onConfirm={start}>
                Messages leave immediately. You can pause the broadcast on its page.
              </ConfirmButton>
            ) : (
              <p className="muted">Choose recipients and enter a text.</p>
            )}
            {progress === '' ? null : <p role="status">{progress}</p>}
          </div>
        </div>
      </div>
    </div>
  )
}

const emptyDraft: BroadcastDraft = { name: '', from: '', body: '', group: '', list: null }

interface Start {
  readonly failure: Failure | null
  readonly progress: string
  readonly start: () => Promise<void>
}

/** Stores the recipients if the text needs more than their numbers, and starts the broadcast. */
function useStart(draft: BroadcastDraft): Start {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [progress, setProgress] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const start = async (): Promise<void> => {
    setFailure(null)
    try {
      const group = await storeGroup(draft, (done, all) =>
        setProgress(`Stored ${done} of ${countText(all, 'contact')}`),
      )
      const { id } = await client.broadcasts.create(inputOf(draft, group))
      void queries.invalidateQueries({ queryKey: ['list', 'broadcasts'] })
      await navigate({ to: '/broadcasts/$id', params: { id } })
    } catch (error) {
      setFailure(explain(error))
      setProgress('')
    }
  }
  return { failure, progress, start }
}

interface TextProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function NameInput({ value, onChange }: TextProps): ReactNode {
  return (
    <div className="field">
      <label htmlFor="name">Name</label>
      <input
        id="name"
        className="input"
        placeholder="Autumn sale"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

function BodyInput({ value, onChange }: TextProps): ReactNode {
  return (
    <div className="field">
      <label htmlFor="broadcast-body">
        Text <span className="required">(required)</span>
      </label>
      <textarea
        id="broadcast-body"
        className="input text-input"
        aria-describedby="broadcast-body-hint"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <p className="hint" id="broadcast-body-hint">
        Placeholders: <code>{'{{name}}'}</code>, <code>{'{{attributes.city|your town}}'}</code>
      </p>
    </div>
  )
}
