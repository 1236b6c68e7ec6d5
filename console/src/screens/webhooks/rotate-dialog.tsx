import type { Webhook } from '@nuncio/client'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { Popup } from '../../ui/overlay.tsx'

interface Props {
  readonly webhook: Webhook
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onRotated: (secret: string, date: string) => void
}

/** Replaces the secret of a webhook. */
export function RotateDialog({ webhook, isOpen, onClose, onRotated }: Props): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const rotate = async (): Promise<void> => {
    try {
      const { secret, updatedAt } = await client.webhooks.patch(webhook.id, { secret: null })
      onClose()
      if (secret !== undefined) onRotated(secret, updatedAt)
    } catch (error) {
      setFailure(explain(error))
    }
  }
  return (
    <Popup title="Rotate the secret?" isOpen={isOpen} onClose={onClose}>
      <p>
        The service makes a new secret and shows it once. For 24 hours it signs with both, so that
        you can change the receiver without losing a request.
      </p>
      {failure === null ? null : <FaultNotice {...failure} />}
      <div className="dialog-foot">
        <Button onPress={onClose}>Keep</Button>
        <Button look="primary" onPress={() => void rotate()}>
          Rotate secret
        </Button>
      </div>
    </Popup>
  )
}
