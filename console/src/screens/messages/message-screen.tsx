import type { Message } from '@nuncio/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { failureText } from '../../api/statuses.ts'
import { useCollection } from '../../api/queries.ts'
import { Facts } from '../../collections/facts.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { watchMessages } from '../../live/message-changes.ts'
import { Badge } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { ShownInstance } from '../shown-instance.tsx'
import { curlOf, messageQuery } from './message.ts'
import { MessageActions } from './message-actions.tsx'
import { MessageDeliveries } from './message-deliveries.tsx'
import { Timeline } from './timeline.tsx'

/** One message: what happened to it, what it cost, and who was notified. */
export function MessageScreen(): ReactNode {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const collection = useCollection('messages')
  const queries = useQueryClient()
  const query = useQuery(messageQuery(id))
  useEffect(
    () =>
      watchMessages((changes) => {
        if (changes.some((change) => change.id === id))
          void queries.invalidateQueries(messageQuery(id))
      }),
    [id, queries],
  )
  return (
    <ShownInstance collection={collection} query={query}>
      {(message, collection) => <Shown message={message} collection={collection} />}
    </ShownInstance>
  )
}

interface ShownProps {
  readonly message: Message
  readonly collection: CollectionDescription
}

function Shown({ message, collection }: ShownProps): ReactNode {
  const isSent = message.type === 'SENT'
  const counterpart = isSent ? message.to : message.from || 'a sender without an address'
  return (
    <div className="page">
      <PageHead
        name={`Message ${counterpart}`}
        title={
          <span className="row wrap">
            {isSent ? `To ${counterpart}` : `From ${counterpart}`}
            <Badge state={message.status.id} />
          </span>
        }
        note={failureText(message.status.id, message.networkCode)}
        trail={[['Messages', 'messages']]}
      >
        <MessageActions message={message} collection={collection} />
      </PageHead>
      <div className="scroll">
        <div className="two-columns message">
          <div className="stack">
            <section className="panel panel-body">
              <blockquote className={isSent ? 'bubble sent' : 'bubble'}>
                {message.body === '' ? <em>The text was erased.</em> : message.body}
              </blockquote>
            </section>
            <section className="panel panel-body details">
              <Facts
                fields={collection.fields}
                instance={{ ...message }}
                without={['body', 'status', 'history']}
              />
            </section>
            <div className="stack details">
              <Code label="JSON" text={JSON.stringify(message, null, 2)} />
              <Code label="curl" text={curlOf(message)} />
            </div>
          </div>
          <div className="stack">
            <Timeline message={message} />
            <MessageDeliveries message={message} />
          </div>
        </div>
      </div>
    </div>
  )
}
