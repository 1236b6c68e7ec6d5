import type { Message } from '@nuncio/client'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { explain } from '../../api/problem.ts'
import { usePermission } from '../../api/use-session.ts'
import { DeleteButton } from '../../collections/delete-button.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showToast } from '../../ui/toast.tsx'
import { canCancel, messageQuery } from './message.ts'

interface Props {
  readonly message: Message
  readonly collection: CollectionDescription
}

/** What can be done with a message. */
export function MessageActions({ message, collection }: Props): ReactNode {
  const queries = useQueryClient()
  const mayWrite = usePermission(collection.scopes.patch)
  if (!mayWrite) return null
  const cancel = async (): Promise<void> => {
    try {
      await client.messages.patch(message.id, { status: { type: 'CANCELLED' } })
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
    await queries.invalidateQueries(messageQuery(message.id))
  }
  const isSent = message.type === 'SENT'
  const [counterpart, address] = isSent ? [message.to, message.from] : [message.from, message.to]
  return (
    <>
      <DeleteButton collection={collection} path={['messages']} instance={{ ...message }} />
      {canCancel(message) ? (
        <ConfirmButton action="Cancel message" icon="close" onConfirm={cancel}>
          It is not sent. Its record stays.
        </ConfirmButton>
      ) : null}
      {counterpart === '' ? null : (
        <Link
          to="/conversations/$counterpart"
          params={{ counterpart }}
          search={{ address }}
          className={isSent ? 'button' : 'button primary'}
        >
          <Icon name="conversations" size={15} />
          {isSent ? 'Open conversation' : 'Reply'}
        </Link>
      )}
      {isSent ? (
        <Link
          to="/send"
          search={{ to: counterpart, from: address, body: message.body }}
          className="button primary"
        >
          <Icon name="send" size={15} />
          Send again
        </Link>
      ) : null}
    </>
  )
}
