import type { Message, Webhook } from '@nuncio/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Badge, OutcomeBadge } from '../../ui/badge.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { durationText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { notificationsOf, pendingText, type WebhookNotifications } from './message-notifications.ts'

/** Webhooks whose attempts are searched, one request for each. */
const webhooksMax = 100
/** With more webhooks the attempts are read once only. */
const polledMax = 10
/** A notification has about twenty attempts in three days. */
const attemptsMax = 100
const pollMs = 10_000

/** The notifications made from a message, and the requests that carried them to webhooks. */
export function MessageDeliveries({ message }: { message: Message }): ReactNode {
  const mayRead = usePermission(useCollection('webhooks/deliveries')?.scopes.list)
  const { data, error, isPending } = useQuery({
    queryKey: ['message-deliveries', message.id],
    queryFn: ({ signal }) => readAttempts(message.id, signal),
    enabled: mayRead,
    refetchInterval: ({ state }) => ((state.data?.found.length ?? 0) > polledMax ? false : pollMs),
  })
  if (!mayRead) return null
  const shown = notificationsOf(message, data?.found ?? [])
  return (
    <Panel title="Notifications">
      {isPending ? (
        <div className="panel-body">
          <Skeleton lines={2} />
        </div>
      ) : null}
      {error === null ? null : <FaultNotice {...explain(error)} />}
      {data !== undefined && shown.length === 0 ? (
        <p className="panel-body muted">
          No webhook is notified of this message. Webhooks get final statuses unless they ask for
          more.
        </p>
      ) : null}
      {shown.map((one) => (
        <OfWebhook key={one.webhook.id} notifications={one} />
      ))}
      {data?.hasMore === true ? (
        <p className="panel-body muted">Only the first {webhooksMax} webhooks are shown.</p>
      ) : null}
    </Panel>
  )
}

type Attempt = Attempts['found'][number]['attempts'][number]

function OfWebhook({
  notifications,
}: {
  notifications: WebhookNotifications<Webhook, Attempt>
}): ReactNode {
  const { webhook, statuses, batches } = notifications
  const pending = pendingText(notifications)
  return (
    <section className="panel-body stack tight" aria-label={webhook.name ?? webhook.url}>
      <div className="row wrap">
        <Link to={`/webhooks/${webhook.id}`}>{webhook.name ?? webhook.url}</Link>
        {statuses.map((status) => (
          <Badge key={status} state={status} />
        ))}
      </div>
      <ul className="stack tight">
        {batches.flat().map((attempt) => (
          <li key={attempt.id}>
            <div className="row wrap">
              <OutcomeBadge outcome={attempt.outcome} />
              <Link className="grow" to={`/webhooks/${webhook.id}/deliveries/${attempt.id}`}>
                Attempt {attempt.attempt}
              </Link>
              <Time value={attempt.date} />
            </div>
            <p className="muted">{resultText(attempt)}</p>
          </li>
        ))}
      </ul>
      {pending === null ? null : (
        <p className="muted">
          {pending}
          {webhook.nextAttemptAt === null || batches.length === 0 ? null : (
            <>
              {' '}
              Next attempt: <Time value={webhook.nextAttemptAt} />
            </>
          )}
        </p>
      )}
    </section>
  )
}

/** What the receiver answered, or why it did not, and how long it took. */
function resultText({ statusCode, error, durationMs, replay, test }: Attempt): string {
  const kind = test ? 'test' : replay === null ? '' : 'replay'
  return [statusCode ?? error ?? '', durationText(durationMs), kind]
    .filter((part) => part !== '')
    .join(' · ')
}

type Attempts = Awaited<ReturnType<typeof readAttempts>>

async function readAttempts(id: string, signal: AbortSignal) {
  const { items, next } = await client.webhooks.list({ pageSize: webhooksMax }, { signal })
  const found = await Promise.all(
    items.map(async (webhook: Webhook) => {
      const request = { where: { messageIds: id }, pageSize: attemptsMax }
      const { items } = await client.webhooks.at(webhook.id).deliveries.list(request, { signal })
      return { webhook, attempts: items }
    }),
  )
  return { found, hasMore: next !== null }
}
