import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { waitingNow, type WaitingNow } from './backlog.ts'
import { problemsOf } from './problems.ts'
import { carrierStatesQuery, webhookStatesQuery } from './states.ts'

interface Props {
  readonly mayReadCarriers: boolean
  readonly mayReadWebhooks: boolean
}

/** The carriers and webhooks that do not work, and why. */
export function CurrentProblems({ mayReadCarriers, mayReadWebhooks }: Props): ReactNode {
  const carriers = useQuery({ ...carrierStatesQuery, enabled: mayReadCarriers })
  const webhooks = useQuery({ ...webhookStatesQuery, enabled: mayReadWebhooks })
  const isRead = carriers.data !== undefined || webhooks.data !== undefined
  if (!isRead) return null
  const problems = problemsOf(
    carriers.data?.items ?? [],
    webhooks.data?.items ?? [],
    carriers.dataUpdatedAt,
  )
  if (problems.length === 0) {
    return <AllWell waiting={waitingNow(carriers.data?.items ?? [], carriers.dataUpdatedAt)} />
  }
  return (
    <Panel title="Current problems">
      <ul className="lines">
        {problems.map(({ address, title, state, reason }) => (
          <li key={address} className="stack tight">
            <div className="row">
              <Badge state={state} />
              <Link className="grow" to={`/${address}`}>
                {title}
              </Link>
            </div>
            <p className="muted">{reason}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Says that nothing is wrong, and what waits nevertheless. */
function AllWell({ waiting }: { waiting: WaitingNow | null }): ReactNode {
  return (
    <p className="row all-well" role="status">
      <Icon name="check" />
      {waiting === null ? (
        'No problems: all carriers and webhooks work.'
      ) : (
        <span>
          No problems.{' '}
          <Link
            to="/messages"
            search={{
              'status.type': 'ACCEPTED',
              ...(waiting.carrier === null ? {} : { carrier: waiting.carrier }),
            }}
          >
            {waiting.text}
          </Link>
          .
        </span>
      )}
    </p>
  )
}
