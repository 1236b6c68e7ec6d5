import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { useCollections } from '../../api/queries.ts'
import { permits } from '../../api/session.ts'
import { useSession } from '../../api/use-session.ts'
import { PageHead } from '../../collections/page-head.tsx'
import { watchMessages } from '../../live/message-changes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { CarrierStates } from './carrier-states.tsx'
import { CurrentProblems } from './current-problems.tsx'
import { LastFailures } from './last-failures.tsx'
import { WebhookStates } from './webhook-states.tsx'

const RecentChart = lazy(async () => {
  const { RecentChart } = await import('./recent-chart.tsx')
  return { default: RecentChart }
})

/** Under load the screen is read no more often: its reads must not burden the service. */
const readEveryMs = 5000

/** What happens now, and what needs attention. */
export function OverviewScreen(): ReactNode {
  const collections = useCollections()
  const { scopes } = useSession()
  const queries = useQueryClient()
  const may = (path: string): boolean =>
    permits(scopes, collections.find((one) => one.path === path)?.scopes.list)
  const readsMessages = may('messages')
  useEffect(() => {
    if (!readsMessages) return undefined
    let readAtMs = 0
    return watchMessages(() => {
      if (Date.now() - readAtMs < readEveryMs) return
      readAtMs = Date.now()
      void queries.invalidateQueries({ queryKey: ['overview'] })
    })
  }, [queries, readsMessages])
  return (
    <div className="page">
      <PageHead title="Overview">
        {permits(scopes, 'messages:write') ? (
          <Link to="/send" className="button primary">
            <Icon name="send" size={15} />
            Send message
          </Link>
        ) : null}
      </PageHead>
      <div className="scroll stack">
        <CurrentProblems mayReadCarriers={may('carriers')} mayReadWebhooks={may('webhooks')} />
        {readsMessages ? (
          <Suspense fallback={<Skeleton lines={6} />}>
            <RecentChart />
          </Suspense>
        ) : null}
        <div className="halves">
          {may('webhooks') ? <WebhookStates /> : null}
          {may('carriers') ? <CarrierStates /> : null}
          {readsMessages ? <LastFailures /> : null}
        </div>
      </div>
    </div>
  )
}
