import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { watchMessages } from '../../live/message-changes.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { conversationsQuery, searchFor, type Conversation, type Shown } from './conversation.ts'
import { distinct } from './without-answered.ts'
import { ConversationEntry } from './conversation-entry.tsx'
import { OpenNumber } from './open-number.tsx'

/** The parties of a conversation. */
type Parties = Pick<Conversation, 'counterpart' | 'address'>

interface Props {
  readonly open: Parties | null
  readonly shown: Shown
}

/** Under load the list is read no more often: each reading examines many messages. */
const readEveryMs = 5000

/** The conversations, those with the newest messages first, live. */
export function ConversationList({ open, shown }: Props): ReactNode {
  const queries = useQueryClient()
  const query = useInfiniteQuery(conversationsQuery(shown))
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    let readAtMs = 0
    return watchMessages(() => {
      if (Date.now() - readAtMs < readEveryMs) return
      readAtMs = Date.now()
      void queries.invalidateQueries({ queryKey: ['list', 'conversations'] })
    })
  }, [queries])
  const found = distinct(data?.pages.flatMap(({ items }) => items) ?? [])
  return (
    <section className="panel conversation-list" aria-label="All conversations">
      <OpenNumber />
      <ShownTabs shown={shown} />
      {error === null ? null : <FaultNotice {...explain(error)} />}
      {data === undefined && error === null ? (
        <div className="panel-body">
          <Skeleton lines={8} />
        </div>
      ) : null}
      {data !== undefined && found.length === 0 ? <NoConversation shown={shown} /> : null}
      <ul className="lines">
        {found.map((one) => (
          <ConversationEntry
            key={one.id}
            conversation={one}
            shown={shown}
            isOpen={isSame(one, open)}
          />
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

function NoConversation({ shown }: { shown: Shown }): ReactNode {
  return (
    <p className="panel-body muted">
      {shown === 'unanswered' ? (
        'Nobody waits for an answer.'
      ) : (
        <>
          No conversations yet. <Link to="/send">Send a message</Link>: answers appear here.
        </>
      )}
    </p>
  )
}

function isSame(one: Parties, other: Parties | null): boolean {
  return one.counterpart === other?.counterpart && one.address === other.address
}

const choices = [
  ['all', 'All'],
  ['received', 'Received'],
  ['unanswered', 'Unanswered'],
] as const

function ShownTabs({ shown }: { shown: Shown }): ReactNode {
  return (
    <nav className="tabs" aria-label="Shown conversations">
      {choices.map(([id, title]) => (
        <Link
          key={id}
          to="/conversations"
          search={searchFor(id)}
          activeProps={{}}
          {...(id === shown ? { className: 'active', 'aria-current': 'true' } : {})}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
