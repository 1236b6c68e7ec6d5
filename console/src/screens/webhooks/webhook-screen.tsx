import type { Webhook } from '@nuncio/client'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { useCollection } from '../../api/queries.ts'
import { AsCode } from '../../collections/as-code.tsx'
import { Facts } from '../../collections/facts.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { Badge } from '../../ui/badge.tsx'
import { numberText } from '../../ui/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { InstanceTabs } from '../instance-tabs.tsx'
import { ShownInstance } from '../shown-instance.tsx'
import { OldSecret } from './old-secret.tsx'
import { RecentAttempts } from './recent-attempts.tsx'
import { Replays } from './replays.tsx'
import { webhookQuery } from './webhook.ts'
import { WebhookActions } from './webhook-actions.tsx'

/** One webhook: whether it works, why not, and what can be done. */
export function WebhookScreen(): ReactNode {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const collection = useCollection('webhooks')
  const query = useQuery(webhookQuery(id))
  return (
    <ShownInstance collection={collection} query={query}>
      {(webhook, collection) => <Shown webhook={webhook} collection={collection} />}
    </ShownInstance>
  )
}

interface ShownProps {
  readonly webhook: Webhook
  readonly collection: CollectionDescription
}

function Shown({ webhook, collection }: ShownProps): ReactNode {
  return (
    <div className="page">
      <PageHead
        name={webhook.name ?? webhook.url}
        title={
          <span className="row wrap">
            {webhook.name ?? webhook.url}
            <Badge state={webhook.active ? webhook.state : 'PAUSED'} />
          </span>
        }
        note={webhook.url}
        trail={[['Webhooks', 'webhooks']]}
      >
        <WebhookActions webhook={webhook} collection={collection} />
      </PageHead>
      <InstanceTabs parent={collection} path={['webhooks']} id={webhook.id} />
      <div className="scroll">
        <div className="two-columns">
          <div className="stack">
            <State webhook={webhook} />
            <section className="panel panel-body">
              <Facts
                fields={collection.fields}
                instance={{ ...webhook }}
                without={['name', 'state', 'stateReason', 'lag', 'lastSuccessAt', 'nextAttemptAt']}
              />
            </section>
            <AsCode path={['webhooks', webhook.id]} value={webhook} />
          </div>
          <div className="stack">
            <RecentAttempts webhook={webhook.id} />
            <Replays webhook={webhook.id} />
          </div>
        </div>
      </div>
    </div>
  )
}

function State({ webhook }: { webhook: Webhook }): ReactNode {
  const { lag, lastSuccessAt, nextAttemptAt, stateReason } = webhook
  return (
    <section className="panel">
      <dl className="figures panel-body">
        <div>
          <dt>Undelivered notifications</dt>
          <dd>{numberText(lag)}</dd>
        </div>
        <div>
          <dt>Last success</dt>
          <dd>{lastSuccessAt === null ? 'Never' : <Time value={lastSuccessAt} />}</dd>
        </div>
        {nextAttemptAt === null ? null : (
          <div>
            <dt>Next attempt</dt>
            <dd>
              <Time value={nextAttemptAt} />
            </dd>
          </div>
        )}
      </dl>
      {stateReason === null ? null : <p className="panel-body reason">{stateReason}</p>}
      <OldSecret webhook={webhook.id} />
    </section>
  )
}
