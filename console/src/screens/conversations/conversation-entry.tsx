import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Time } from '../../ui/time.tsx'
import { searchFor, type Conversation, type Shown } from './conversation.ts'

interface Props {
  readonly conversation: Conversation
  readonly shown: Shown
  readonly isOpen: boolean
}

/** A conversation of the list, with its last message. */
export function ConversationEntry({ conversation, shown, isOpen }: Props): ReactNode {
  const { counterpart, address, lastMessage } = conversation
  return (
    <li>
      <Link
        to="/conversations/$counterpart"
        params={{ counterpart }}
        search={{ address, ...searchFor(shown) }}
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
