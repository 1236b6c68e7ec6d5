import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { FieldInput } from '../../collections/form/field-input.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { SubmitKeys, submitByKeys } from '../../ui/submit-keys.tsx'
import { OptOutWarning } from '../opt-outs/opt-out-warning.tsx'
import { Estimate } from './estimate.tsx'
import { inputOf, type MessageDraft } from './message-draft.ts'
import { RecipientInput } from './recipient-input.tsx'
import { SenderInput } from './sender-input.tsx'
import { useDryRun, type DryRun } from './use-dry-run.ts'

/** Fields of a message that most people leave alone. */
const further = [
  'scheduledAt',
  'validUntil',
  'encoding',
  'maxParts',
  'priority',
  'carrier',
  'userSuppliedId',
]

/** Writes a message. Parts and cost are computed by the service while one types. */
export function SendScreen(): ReactNode {
  const given: MessageDraft = useSearch({ strict: false })
  const [draft, setDraft] = useState<MessageDraft>({ to: '', body: '', ...given })
  const maySend = usePermission(useCollection('messages')?.scopes.create)
  const dryRun = useDryRun(draft)
  const { failure, isBusy, send } = useSend(draft)
  const faults = failure?.faults ?? dryRun.faults
  return (
    <div className="page">
      <PageHead title="Send message" trail={[['Messages', 'messages']]} />
      <div className="scroll">
        <form
          className="two-columns"
          onKeyDown={submitByKeys}
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <div className="panel panel-body stack">
            {failure === null ? null : <FaultNotice {...failure} />}
            <RecipientInput
              value={draft.to ?? ''}
              faults={faults}
              onChange={(to) => setDraft({ ...draft, to })}
            />
            <SenderInput
              value={draft.from ?? ''}
              faults={faults}
              onChange={(from) => setDraft({ ...draft, from })}
            />
            <TextInput draft={draft} onChange={setDraft} />
            <Further draft={draft} faults={faults} onChange={setDraft} />
          </div>
          <div className="stack">
            <Estimate draft={draft} dryRun={dryRun} />
            <OptOutWarning {...partiesOf(draft, dryRun)} />
            <Submit draft={draft} isDisabled={!maySend || isBusy} />
          </div>
        </form>
      </div>
    </div>
  )
}

/** The service knows the stored form of the recipient, and the default sender. */
function partiesOf(draft: MessageDraft, { message }: DryRun) {
  return {
    recipient: message?.to ?? (draft.to ?? '').replaceAll(/[\s().-]/g, ''),
    sender: message?.from ?? draft.from ?? '',
  }
}

interface Sending {
  readonly failure: Failure | null
  readonly isBusy: boolean
  readonly send: () => Promise<void>
}

/** Sends a draft, and shows the message. */
function useSend(draft: MessageDraft): Sending {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const send = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      const { id } = await client.messages.create(inputOf(draft))
      void queries.invalidateQueries({ queryKey: ['list', 'messages'] })
      await navigate({ to: '/messages/$id', params: { id } })
    } catch (error) {
      setFailure(explain(error))
      setBusy(false)
    }
  }
  return { failure, isBusy, send }
}

function Submit({ draft, isDisabled }: { draft: MessageDraft; isDisabled: boolean }): ReactNode {
  return (
    <>
      <Button
        type="submit"
        look="primary"
        icon="send"
        isDisabled={isDisabled || draft.to === '' || draft.body === ''}
      >
        {draft['scheduledAt'] === undefined ? 'Send message' : 'Schedule message'}
      </Button>
      <SubmitKeys />
    </>
  )
}

interface PartProps {
  readonly draft: MessageDraft
  readonly onChange: (draft: MessageDraft) => void
}

function TextInput({ draft, onChange }: PartProps): ReactNode {
  return (
    <div className="field">
      <label htmlFor="body">
        Text <span className="required">(required)</span>
      </label>
      <textarea
        id="body"
        className="input text-input"
        required
        value={draft.body ?? ''}
        onChange={({ target }) => onChange({ ...draft, body: target.value })}
      />
    </div>
  )
}

function Further({
  draft,
  faults,
  onChange,
}: PartProps & { readonly faults: ReadonlyMap<string, string> }): ReactNode {
  const inputs = useCollection('messages')?.inputs ?? []
  return (
    <details className="further">
      <summary>Schedule and further settings</summary>
      <div className="stack">
        {further.flatMap((name) => {
          const field = inputs.find((one) => one.name === name)
          return field === undefined ? (
            []
          ) : (
            <FieldInput
              key={name}
              field={field}
              pointer={`/${name}`}
              value={draft[name]}
              faults={faults}
              onChange={(value) => onChange({ ...draft, [name]: value })}
            />
          )
        })}
      </div>
    </details>
  )
}
