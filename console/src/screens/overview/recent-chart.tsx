import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { Chart } from '../../ui/chart.tsx'
import { Empty, FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { binMessages } from './bins.ts'

/** Messages in the chart: one request of the largest page. */
const messagesMax = 1000
/** How often the chart is drawn again if no event tells of a change. */
const pollMs = 30_000

/** The last messages by time and status. */
export function RecentChart(): ReactNode {
  const { data, error } = useQuery({
    queryKey: ['overview', 'chart'],
    queryFn: ({ signal }) =>
      client.messages.list(
        { pageSize: messagesMax, fields: ['status', 'createdAt'], sort: 'createdAt_desc' },
        { signal },
      ),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  })
  const bins = useMemo(() => binMessages(data?.items ?? []), [data])
  if (error !== null) return <FaultNotice {...explain(error)} />
  if (data === undefined) return <Skeleton lines={6} />
  if (data.items.length === 0) return <NoMessages />
  return (
    <Panel
      title={data.items.length < messagesMax ? 'Messages' : 'The last 1,000 messages'}
      aside={<span className="muted">{bins.stepText}</span>}
    >
      <dl className="figures panel-body">
        {bins.series.map(({ label, total, status }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Link to="/messages" search={{ 'status.type': status }}>
                {new Intl.NumberFormat().format(total)}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
      <div className="panel-body">
        <Chart label="Messages by status over time" look="bars" {...bins} />
      </div>
    </Panel>
  )
}

function NoMessages(): ReactNode {
  return (
    <section className="panel">
      <Empty
        icon="messages"
        title="No messages yet"
        action={
          <Link to="/send" className="button primary">
            Send message
          </Link>
        }
      >
        Send the first one: the simulator delivers it without a phone.
      </Empty>
    </section>
  )
}
