import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { watchMessages } from '../../live/message-changes.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { chatQuery, nameQuery, refreshConversation } from './conversation.ts'
import { ChatMessage, type ShownMessage } from './chat-message.tsx'
import { OptOutState } from './opt-out-state.tsx'
import { Reply } from './reply.tsx'

interface Props {
  readonly counterpart: string
  /** The address that answers; empty for the default sender. */
  readonly address: string
}

/** The messages with a counterpart, the newest at the bottom, live. */
export function Chat({ counterpart, address }: Props): ReactNode {
  const queries = useQueryClient()
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    chatQuery(counterpart),
  )
  useEffect(
    () =>
      watchMessages((changes) => {
        const concerns = changes.some(({ from, to }) => from === counterpart || to === counterpart)
        if (concerns) void refreshConversation(queries, counterpart)
      }),
    [queries, counterpart],
  )
  const messages = (data?.pages.flatMap(({ items }) => items) ?? []).toReversed()
  return (
    <section className="panel chat-place" aria-label={`Conversation with ${counterpart}`}>
      <ChatHead counterpart={counterpart} address={address} />
      <div className="chat" tabIndex={0} role="region" aria-label="Messages">
        <div>
          {hasNextPage ? (
            <Button small isDisabled={isFetching} onPress={() => void fetchNextPage()}>
              Show earlier messages
            </Button>
          ) : null}
          {error === null ? null : <FaultNotice {...explain(error)} />}
          {data === undefined && error === null ? <Skeleton lines={4} /> : null}
          {data !== undefined && messages.length === 0 ? (
            <p className="muted">No messages yet.</p>
          ) : null}
          <ol className="bubbles">
            {messages.map((message) => (
              <ChatMessage key={message.id} message={shown(message)} />
            ))}
          </ol>
        </div>
      </div>
      <Reply counterpart={counterpart} address={address} />
    </section>
  )
}

function ChatHead({ counterpart, address }: Props): ReactNode {
  const mayReadContacts = usePermission(useCollection('contacts')?.scopes.list)
  const name = useQuery({ ...nameQuery(counterpart), enabled: mayReadContacts }).data ?? null
  return (
    <header>
      <div className="grow">
        <Link to="/conversations" className="back">
          All conversations
        </Link>
        <h2>{name ?? counterpart}</h2>
        {name === null ? null : <span className="muted">{counterpart}</span>}
      </div>
      <OptOutState counterpart={counterpart} address={address} />
    </header>
  )
}

/** The list of any collection knows its fields at run time only. */
function shown(row: Readonly<Record<string, unknown>>): ShownMessage {
  const status: unknown = row['status']
  const id: unknown =
    typeof status === 'object' && status !== null ? Reflect.get(status, 'id') : null
  return {
    id: String(row['id']),
    isSent: row['type'] === 'SENT',
    body: String(row['body']),
    address: String(row['type'] === 'SENT' ? row['from'] : row['to']),
    status: String(id),
    createdAt: String(row['createdAt']),
  }
}
