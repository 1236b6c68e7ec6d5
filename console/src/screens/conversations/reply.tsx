import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { SubmitKeys, submitByKeys } from '../../ui/submit-keys.tsx'
import { OptOutWarning } from '../opt-outs/opt-out-warning.tsx'
import { refreshConversation } from './conversation.ts'

interface Props {
  readonly counterpart: string
  readonly address: string
}

/** Answers the counterpart from the address that it wrote to. */
export function Reply({ counterpart, address }: Props): ReactNode {
  const maySend = usePermission(useCollection('messages')?.scopes.create)
  const [body, setBody] = useState('')
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      client.messages.create({
        to: counterpart,
        body,
        ...(address === '' ? {} : { from: address }),
      }),
    onSuccess: async () => {
      setBody('')
      await refreshConversation(queries, counterpart)
    },
  })
  if (!maySend) return null
  return (
    <form
      className="reply"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
      onKeyDown={submitByKeys}
    >
      <OptOutWarning recipient={counterpart} sender={address} />
      {error === null ? null : <FaultNotice {...explain(error)} />}
      <div className="row">
        <textarea
          className="input grow"
          aria-label="Reply"
          rows={2}
          placeholder={address === '' ? 'Reply…' : `Reply from ${address}…`}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
        <div className="stack tight">
          <Button type="submit" look="primary" icon="send" isDisabled={isPending || body === ''}>
            Send reply
          </Button>
          <SubmitKeys />
        </div>
      </div>
    </form>
  )
}
