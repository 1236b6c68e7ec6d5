import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { explain } from '../../api/problem.ts'
import { Chart } from '../../ui/chart.tsx'
import { FaultNotice, Skeleton } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { binCounts, type Bins } from './bins.ts'
import { countsQuery } from './counts.ts'
import { spanOf, spans, startOf, type Span } from './spans.ts'

/** Messages of an account by time and status, and how many are accepted per second. */
export function MessageCounts({ account }: { account: string | null }): ReactNode {
  const { span: chosen }: { readonly span?: string } = useSearch({ strict: false })
  const span = spanOf(chosen)
  const { data, error, dataUpdatedAt } = useQuery(countsQuery(span, account))
  const bins = useMemo(
    () => binCounts(data ?? [], span, dataUpdatedAt === 0 ? Date.now() : dataUpdatedAt),
    [data, span, dataUpdatedAt],
  )
  const shown = useMemo(() => bins.series.filter(({ total }) => total > 0), [bins])
  if (error !== null) return <FaultNotice {...explain(error)} />
  if (data === undefined) return <Skeleton lines={6} />
  return (
    <Panel title="Messages" aside={<span className="muted">{span.barText}</span>}>
      <SpanTabs shown={span} />
      <Figures bins={bins} span={span} />
      <div className="panel-body">
        {bins.accepted === 0 && shown.length === 0 ? (
          <p className="muted">
            No messages in this time. <Link to="/send">Send a message</Link>: the simulator delivers
            it without a phone.
          </p>
        ) : (
          <Chart
            label="Messages by status over time"
            look="bars"
            times={bins.times}
            series={shown}
          />
        )}
      </div>
    </Panel>
  )
}

function SpanTabs({ shown }: { shown: Span }): ReactNode {
  return (
    <nav className="tabs" aria-label="Time">
      {spans.map((span, index) => (
        <Link
          key={span.id}
          to="/"
          search={index === 0 ? {} : { span: span.id }}
          activeProps={{}}
          {...(span === shown ? { className: 'active', 'aria-current': 'page' } : {})}
        >
          {span.title}
        </Link>
      ))}
    </nav>
  )
}

const numbers = new Intl.NumberFormat()
const rates = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

function Figures({ bins, span }: { bins: Bins; span: Span }): ReactNode {
  const since = new Date(startOf(span, Date.now()) * 1000).toISOString()
  return (
    <dl className="figures panel-body">
      <div>
        <dt>Accepted per second</dt>
        <dd>{rates.format(bins.acceptedPerSecond)}</dd>
      </div>
      <div>
        <dt>Accepted</dt>
        <dd>
          <Link to="/messages" search={{ createdAt_gte: since }}>
            {numbers.format(bins.accepted)}
          </Link>
        </dd>
      </div>
      {bins.onTheWay === 0 ? null : (
        <div>
          <dt>On the way</dt>
          <dd>
            <Link
              to="/messages"
              search={{ 'status.type': ['ACCEPTED', 'SENT'], createdAt_gte: since }}
            >
              {numbers.format(bins.onTheWay)}
            </Link>
          </dd>
        </div>
      )}
      {bins.series
        .filter(({ total }) => total > 0)
        .map(({ label, total, status }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Link to="/messages" search={{ 'status.type': status, updatedAt_gte: since }}>
                {numbers.format(total)}
              </Link>
            </dd>
          </div>
        ))}
    </dl>
  )
}
