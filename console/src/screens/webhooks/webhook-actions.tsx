import type { Webhook } from '@nuncio/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { explain } from '../../api/problem.ts'
import { usePermission, useSession } from '../../api/use-session.ts'
import { DeleteButton } from '../../collections/delete-button.tsx'
import { EditDrawer } from '../../collections/form/edit-drawer.tsx'
import { SecretDialog } from '../../collections/secret-dialog.tsx'
import { stateText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ReplayDrawer } from './replay-drawer.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { rotatedAtQuery } from './rotated-at.ts'
import { attemptsQuery, webhookQuery } from './webhook.ts'

interface Props {
  readonly webhook: Webhook
  readonly collection: CollectionDescription
}

type Opened = 'edit' | 'replay' | 'rotate' | null

/** What can be done with a webhook. */
export function WebhookActions({ webhook, collection }: Props): ReactNode {
  const [opened, setOpened] = useState<Opened>(null)
  const { test, setActive } = useWebhookActions(webhook)
  const mayWrite = usePermission(collection.scopes.patch)
  if (!mayWrite) return null
  const close = (): void => setOpened(null)
  // A webhook that the service disabled resumes like a paused one.
  const isRunning = webhook.active && webhook.state !== 'DISABLED'
  return (
    <>
      <DeleteButton collection={collection} path={['webhooks']} instance={webhook} />
      <Button icon="edit" onPress={() => setOpened('edit')}>
        Edit
      </Button>
      <Button icon="keys" onPress={() => setOpened('rotate')}>
        Rotate secret
      </Button>
      <Button icon={isRunning ? 'pause' : 'play'} onPress={() => void setActive(!isRunning)}>
        {isRunning ? 'Pause' : 'Resume'}
      </Button>
      <Button icon="refresh" onPress={() => setOpened('replay')}>
        Replay
      </Button>
      <Button look="primary" icon="send" onPress={() => void test()}>
        Send test
      </Button>
      <Dialogs webhook={webhook} collection={collection} opened={opened} onClose={close} />
    </>
  )
}

interface DialogProps extends Props {
  readonly opened: Opened
  readonly onClose: () => void
}

function Dialogs({ webhook, collection, opened, onClose }: DialogProps): ReactNode {
  const queries = useQueryClient()
  const { account } = useSession()
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <EditDrawer
        collection={collection}
        path={['webhooks']}
        instance={webhook}
        isOpen={opened === 'edit'}
        onClose={onClose}
      />
      <ReplayDrawer webhook={webhook} isOpen={opened === 'replay'} onClose={onClose} />
      <RotateDialog
        webhook={webhook}
        isOpen={opened === 'rotate'}
        onClose={onClose}
        onRotated={(made, date) => {
          setSecret(made)
          queries.setQueryData(rotatedAtQuery(account, webhook.id).queryKey, date)
        }}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}

interface Actions {
  readonly test: () => Promise<void>
  readonly setActive: (active: boolean) => Promise<void>
}

function useWebhookActions({ id }: Webhook): Actions {
  const queries = useQueryClient()
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action()
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
    await queries.invalidateQueries(webhookQuery(id))
    await queries.invalidateQueries(attemptsQuery(id))
  }
  const setActive = (active: boolean): Promise<void> =>
    attempt(async () => {
      await client.webhooks.patch(id, { active })
      const undo = { label: 'Undo', run: () => void setActive(!active) }
      showToast({ text: active ? 'Resumed webhook' : 'Paused webhook', action: undo })
    })
  const test = (): Promise<void> =>
    attempt(async () => {
      const { outcome, statusCode, error } = await client.webhooks.at(id).deliveries.create({})
      const detail = error ?? (statusCode === null ? '' : `status ${statusCode}`)
      const text = `Test: ${stateText(outcome).toLowerCase()} ${detail}`.trim()
      showToast({ text, bad: outcome !== 'ACCEPTED' })
    })
  return { test, setActive }
}
