import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'

/** A message as far as a conversation shows it. */
export interface ShownMessage {
  readonly id: string
  readonly isSent: boolean
  readonly body: string
  /** The own address. */
  readonly address: string
  readonly status: string
  readonly createdAt: string
}

/** A message of a conversation: own ones at the right. */
export function ChatMessage({ message }: { message: ShownMessage }): ReactNode {
  const { id, isSent, body, address, status, createdAt } = message
  return (
    <li className={isSent ? 'own' : 'other'}>
      <blockquote className={isSent ? 'bubble sent' : 'bubble'}>
        {body === '' ? <em>The text was erased.</em> : body}
      </blockquote>
      <p className="row wrap muted small">
        {isSent ? <Badge state={status} /> : null}
        <span>
          {isSent ? 'from' : 'to'} {address === '' ? 'no address' : address}
        </span>
        <Time value={createdAt} />
        <Link to="/messages/$id" params={{ id }}>
          Details
        </Link>
      </p>
    </li>
  )
}
