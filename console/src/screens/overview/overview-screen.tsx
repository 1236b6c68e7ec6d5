import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useCollections } from '../../api/queries.ts'
import { permits } from '../../api/session.ts'
import { usePermission, useSession } from '../../api/use-session.ts'
import { viewedAccount } from '../../api/viewed-account.ts'
import { PageHead } from '../../collections/page-head.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { CarrierBacklogs } from './carrier-backlogs.tsx'
import { CarrierStates } from './carrier-states.tsx'
import { CurrentProblems } from './current-problems.tsx'
import { LastFailures } from './last-failures.tsx'
import { WebhookStates } from './webhook-states.tsx'

const MessageCounts = lazy(async () => {
  const { MessageCounts } = await import('./message-counts.tsx')
  return { default: MessageCounts }
})

/** What happens now, and what needs attention. */
export function OverviewScreen(): ReactNode {
  const collections = useCollections()
  const { scopes, account: own } = useSession()
  // An administrator's key counts the messages of all accounts, but lists those of one.
  const account = viewedAccount() ?? (own === '' ? null : own)
  const maySend = usePermission('messages:write')
  const may = (path: string): boolean =>
    permits(scopes, collections.find((one) => one.path === path)?.scopes.list)
  return (
    <div className="page">
      <PageHead title="Overview" {...(account === null ? {} : { note: `Account ${account}` })}>
        {maySend ? (
          <Link to="/send" className="button primary">
            <Icon name="send" size={15} />
            Send message
          </Link>
        ) : null}
      </PageHead>
      <div className="scroll stack">
        <CurrentProblems mayReadCarriers={may('carriers')} mayReadWebhooks={may('webhooks')} />
        {may('statistics') ? (
          <Suspense fallback={<Skeleton lines={6} />}>
            <MessageCounts account={account} />
          </Suspense>
        ) : null}
        <div className="halves">
          {may('webhooks') ? <WebhookStates /> : null}
          {may('carriers') ? <CarrierStates /> : null}
          {may('carriers') ? <CarrierBacklogs /> : null}
          {may('messages') ? <LastFailures /> : null}
        </div>
      </div>
    </div>
  )
}
