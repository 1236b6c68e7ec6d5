import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'

/** How often they are read while they are shown. */
const pollMs = 10_000
/** As many as fit next to the other parts. */
const shownMax = 8

/** The messages that failed last. */
export function LastFailures(): ReactNode {
  const { data } = useQuery({
    queryKey: ['overview', 'failures'],
    queryFn: ({ signal }) =>
      client.messages.list({ where: { 'status.type': 'FAILED' }, pageSize: shownMax }, { signal }),
    refetchInterval: pollMs,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Panel
      title="Last failures"
      aside={
        <Link to="/messages" search={{ 'status.type': 'FAILED' }}>
          All failures
        </Link>
      }
    >
      <ul className="lines">
        {data.items.map(({ id, to, status, updatedAt }) => (
          <li key={id} className="row">
            <Badge state={status.id} />
            <Link className="grow" to={`/messages/${id}`}>
              {to}
            </Link>
            <Time value={updatedAt} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
