import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { PageHead } from '../../collections/page-head.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { useUnloadWarning } from '../../ui/use-unload-warning.ts'
import { SenderInput } from '../messages/sender-input.tsx'
import { BodyInput } from './body-input.tsx'
import { BroadcastEstimate } from './broadcast-estimate.tsx'
import { emptyDraft, inputOf, isBegun, type BroadcastDraft } from './broadcast-draft.ts'
import { RecipientsInput } from './recipients-input.tsx'
import { SendButton } from './send-button.tsx'
import { storeGroup } from './store-group.ts'
import { useEstimate } from './use-estimate.ts'

const none: ReadonlyMap<string, string> = new Map()

/** Writes a broadcast: recipients from a group or a list, a text for each, the cost before the start. */
export function CreateBroadcastScreen(): ReactNode {
  const [draft, setDraft] = useState<BroadcastDraft>(emptyDraft)
  const mayCreate = usePermission(useCollection('broadcasts')?.scopes.create)
  const { failure, stored, start } = useStart(draft)
  const estimated = useEstimate(draft)
  useUnloadWarning(isBegun(draft))
  const faults = failure?.faults ?? none
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
            <BodyInput
              value={draft.body}
              list={draft.list}
              onChange={(body) => setDraft({ ...draft, body })}
            />
          </div>
          <div className="stack">
            <BroadcastEstimate draft={draft} estimated={estimated} />
            {mayCreate ? (
              <SendButton draft={draft} estimated={estimated} stored={stored} onSend={start} />
            ) : null}
          </div>
        </div>
      </div>
    </div>
  )
}

interface Start {
  readonly failure: Failure | null
  /** How many contacts are stored; null if none are being stored. */
  readonly stored: number | null
  readonly start: () => Promise<void>
}

/** Stores the recipients if the text needs more than their numbers, and starts the broadcast. */
function useStart(draft: BroadcastDraft): Start {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [stored, setStored] = useState<number | null>(null)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const start = async (): Promise<void> => {
    setFailure(null)
    try {
      const group = await storeGroup(draft, setStored)
      const { id } = await client.broadcasts.create(inputOf(draft, group))
      void queries.invalidateQueries({ queryKey: ['list', 'broadcasts'] })
      await navigate({ to: '/broadcasts/$id', params: { id } })
    } catch (error) {
      setFailure(explain(error))
      setStored(null)
    }
  }
  return { failure, stored, start }
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
