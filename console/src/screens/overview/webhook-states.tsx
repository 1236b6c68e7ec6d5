import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { numberText } from '../../ui/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { webhookStatesQuery } from './states.ts'

/** Webhooks with the largest lag. */
const shownMax = 8

/** The webhooks with trouble or lag first. */
export function WebhookStates(): ReactNode {
  const { data } = useQuery(webhookStatesQuery)
  if (data === undefined) return null
  const worst = data.items.toSorted((one, other) => other.lag - one.lag).slice(0, shownMax)
  return (
    <Panel title="Webhooks" aside={<Link to="/webhooks">All webhooks</Link>}>
      {worst.length === 0 ? (
        <p className="panel-body muted">
          No webhook yet. Create one to get statuses and received messages.
        </p>
      ) : null}
      <ul className="lines">
        {worst.map(({ id, name, url, active, state, lag }) => (
          <li key={id} className="row">
            <Link className="grow" to={`/webhooks/${id}`}>
              {name ?? url}
            </Link>
            <span className="muted">{numberText(lag)} undelivered</span>
            <Badge state={active ? state : 'PAUSED'} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
