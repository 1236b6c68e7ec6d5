import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { OutcomeBadge } from '../../ui/badge.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { countText, durationText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { attemptsQuery } from './webhook.ts'

/** The last requests of a webhook, each a link to its response. */
export function RecentAttempts({ webhook }: { webhook: string }): ReactNode {
  const { data, error, isPending } = useQuery(attemptsQuery(webhook))
  return (
    <Panel
      title="Last attempts"
      aside={<Link to={`/webhooks/${webhook}/deliveries`}>All attempts</Link>}
    >
      {isPending ? (
        <div className="panel-body">
          <Skeleton lines={4} />
        </div>
      ) : null}
      {error === null ? null : <FaultNotice {...explain(error)} />}
      {data?.items.length === 0 ? (
        <p className="panel-body muted">No request yet. Press “Send test” to make the first one.</p>
      ) : null}
      <ul className="lines">
        {data?.items.map((attempt) => (
          <li key={attempt.id} className="row">
            <OutcomeBadge outcome={attempt.outcome} />
            <Link className="grow" to={`/webhooks/${webhook}/deliveries/${attempt.id}`}>
              {attempt.statusCode ?? 'No response'}
              {attempt.test ? ' · test' : ` · ${countText(attempt.messageIds.length, 'record')}`}
            </Link>
            <span className="muted">{durationText(attempt.durationMs)}</span>
            <Time value={attempt.date} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
