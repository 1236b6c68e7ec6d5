import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { watchMessages } from '../../live/message-changes.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { conversationsQuery, type Conversation } from './conversation.ts'
import { OpenNumber } from './open-number.tsx'

/** The parties of a conversation. */
type Parties = Pick<Conversation, 'counterpart' | 'address'>

/** Under load the list is read no more often: each reading examines many messages. */
const readEveryMs = 5000

/** The conversations, those with the newest messages first, live. */
export function ConversationList({ open }: { open: Parties | null }): ReactNode {
  const queries = useQueryClient()
  const query = useInfiniteQuery(conversationsQuery)
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    let readAtMs = 0
    return watchMessages(() => {
      if (Date.now() - readAtMs < readEveryMs) return
      readAtMs = Date.now()
      void queries.invalidateQueries({ queryKey: conversationsQuery.queryKey })
    })
  }, [queries])
  const found = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className="panel conversation-list" aria-label="All conversations">
      <OpenNumber />
      {error === null ? null : <FaultNotice {...explain(error)} />}
      {data === undefined && error === null ? (
        <div className="panel-body">
          <Skeleton lines={8} />
        </div>
      ) : null}
      {data !== undefined && found.length === 0 ? (
        <p className="panel-body muted">
          No conversations yet. <Link to="/send">Send a message</Link>: answers appear here.
        </p>
      ) : null}
      <ul className="lines">
        {found.map((one) => (
          <Entry key={one.id} conversation={one} isOpen={isSame(one, open)} />
        ))}
      </ul>
      {hasNextPage ? (
        <div className="panel-body">
          <Button small isDisabled={isFetching} onPress={() => void fetchNextPage()}>
            Search further back
          </Button>
        </div>
      ) : null}
    </section>
  )
}

function isSame(one: Parties, other: Parties | null): boolean {
  return one.counterpart === other?.counterpart && one.address === other.address
}

interface EntryProps {
  readonly conversation: Conversation
  readonly isOpen: boolean
}

function Entry({ conversation, isOpen }: EntryProps): ReactNode {
  const { counterpart, address, lastMessage } = conversation
  return (
    <li>
      <Link
        to="/conversations/$counterpart"
        params={{ counterpart }}
        search={{ address }}
        className="conversation"
        activeProps={{}}
        {...(isOpen ? { 'aria-current': 'true' } : {})}
      >
        <span className="row">
          <strong>{counterpart}</strong>
          <span className="grow muted small">{address}</span>
          <span className="muted small">
            <Time value={lastMessage.createdAt} />
          </span>
        </span>
        <span className="muted excerpt">
          {lastMessage.type === 'SENT' ? 'You: ' : ''}
          {lastMessage.body}
        </span>
      </Link>
    </li>
  )
}
