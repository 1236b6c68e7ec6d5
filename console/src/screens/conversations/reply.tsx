import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
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
      onKeyDown={(event) => {
        const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        if (isDone && body !== '') mutate()
      }}
    >
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
        <Button type="submit" look="primary" icon="send" isDisabled={isPending || body === ''}>
          Send reply
        </Button>
      </div>
    </form>
  )
}
