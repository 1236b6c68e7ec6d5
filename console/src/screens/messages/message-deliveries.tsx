import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Badge, outcomeTone } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'

/** Webhooks whose attempts are searched. */
const webhooksMax = 20

/** The requests that notified webhooks of a message. */
export function MessageDeliveries({ id }: { id: string }): ReactNode {
  const mayRead = usePermission(useCollection('webhooks/deliveries')?.scopes.list)
  const { data, isPending } = useQuery({
    queryKey: ['message-deliveries', id],
    queryFn: () => deliveriesOf(id),
    enabled: mayRead,
    refetchInterval: 10_000,
  })
  if (!mayRead) return null
  return (
    <Panel title="Webhook requests">
      {isPending ? (
        <div className="panel-body">
          <Skeleton lines={2} />
        </div>
      ) : null}
      {data?.length === 0 ? (
        <p className="panel-body muted">
          No webhook was sent this message. Webhooks get final statuses unless they ask for more.
        </p>
      ) : null}
      <ul className="lines">
        {data?.map(({ webhook, delivery }) => (
          <li key={delivery.id} className="row">
            <Badge state={delivery.outcome} tone={outcomeTone(delivery.outcome)} />
            <Link className="grow" to={`/webhooks/${webhook.id}/deliveries/${delivery.id}`}>
              {webhook.name ?? webhook.url}
            </Link>
            <span className="muted">{delivery.statusCode ?? ''}</span>
            <Time value={delivery.date} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

async function deliveriesOf(id: string) {
  const { items } = await client.webhooks.list({ pageSize: webhooksMax })
  const found = await Promise.all(
    items.map(async (webhook) => {
      const where = { messageIds: id }
      const deliveries = await client.webhooks
        .at(webhook.id)
        .deliveries.list({ where, pageSize: 20 })
      return deliveries.items.map((delivery) => ({ webhook, delivery }))
    }),
  )
  return found.flat().sort((one, other) => (one.delivery.date < other.delivery.date ? 1 : -1))
}
