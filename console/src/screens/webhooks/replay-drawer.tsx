import type { Webhook } from '@nuncio/client'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { CollectionForm, type Draft } from '../../collections/form/form.tsx'
import { filledIn } from '../../collections/form/create-drawer.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/overlay.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ReplayPreview } from './replay-preview.tsx'
import { replaysQuery } from './webhook.ts'

interface Props {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Spans of time that people replay after a fault of their receiver. */
const spans = [
  ['Last hour', 3_600_000],
  ['Last day', 86_400_000],
  ['Last 7 days', 604_800_000],
] as const

/** Sends notifications again, after a look at what is selected. */
export function ReplayDrawer({ webhook, isOpen, onClose }: Props): ReactNode {
  const queries = useQueryClient()
  const fields = useCollection('webhooks/replays')?.inputs ?? []
  const replay = async (draft: Draft): Promise<void> => {
    const input: Draft & { readonly from: string } = { from: '', ...filledIn(draft) }
    await client.webhooks.at(webhook.id).replays.create(input)
    await queries.invalidateQueries(replaysQuery(webhook.id))
    onClose()
    showToast({ text: 'Replay started. Its progress is on this page.' })
  }
  return (
    <Drawer title="Replay notifications" isOpen={isOpen} onClose={onClose}>
      <p className="muted">
        The webhook gets the selected notifications again, in addition to new ones.
      </p>
      <CollectionForm
        fields={fields}
        initial={{}}
        action="Replay"
        onSubmit={replay}
        onCancel={onClose}
        above={(draft, setDraft) => (
          <>
            <Spans onChange={(from) => setDraft({ ...draft, from })} />
            <ReplayPreview webhook={webhook} draft={draft} />
          </>
        )}
      />
    </Drawer>
  )
}

function Spans({ onChange }: { onChange: (from: string) => void }): ReactNode {
  return (
    <div className="row wrap">
      {spans.map(([title, spanMs]) => (
        <Button
          key={title}
          small
          onPress={() => onChange(new Date(Date.now() - spanMs).toISOString())}
        >
          {title}
        </Button>
      ))}
    </div>
  )
}
